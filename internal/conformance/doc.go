// Package conformance holds the tests that compare headroom with answers worked
// out elsewhere: statistics with independently verified values, recorded sets
// with their truth. The data lies outside the project, so that other data of
// the same shape can be run through the same tests: each test takes its folder
// from an environment variable and loops over what is there.
package conformance
