// Package archtest guards the arrows between the rooms. Its test reads every Go
// file of the module and fails on an import that the house does not allow, on a
// third-party module outside its one door, and on a room that touches the
// clock, the environment, global randomness or the world when it may not.
//
// The house itself is the table in house_test.go.
package archtest
