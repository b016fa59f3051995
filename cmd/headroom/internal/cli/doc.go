// Package cli is the command line of headroom: flags become an Options value,
// and an Options value becomes one call of a room and a printed answer.
//
// Each command is one file named <noun>_<verb>.go with three things: an Options
// struct, newXCmd (flags → Options, nothing else) and runX (Options → work).
// Tests give newXCmd a function of their own to see the Options, or run whole
// commands through [Main] and the scripts under testdata/script.
//
// Rules that hold for every command: data goes to stdout, talk to stderr;
// --json prints the same answer for programs, --quiet leaves out the talk; an
// error is one line; the exit statuses are those of package exitcode. No
// command colours its output, so NO_COLOR asks for what is there already.
package cli
