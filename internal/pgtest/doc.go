// Package pgtest starts private PostgreSQL servers for tests: on a random port
// of 127.0.0.1 and nowhere else, in a folder of their own, without durability,
// gone when the test ends.
//
// The server of the machine (Debian: package postgresql) is the usual one; a
// second can be given by its folder, so that one test runs on two majors. A
// server refuses to run as root: then it runs as the user postgres or nobody.
package pgtest
