// Package exitcode holds the exit statuses of the command and an error that
// carries one. Rooms below cmd return plain errors; cmd decides what they mean.
package exitcode

import "errors"

// Code is the exit status of the command.
type Code int

// The exit statuses. A proven failure outranks "could not look".
const (
	// Clean: all gates passed, nothing is stale; or what was asked for is done.
	Clean Code = 0
	// Failed: a gate failed, or something published is stale.
	Failed Code = 1
	// CouldNotLook: no proven failure, but something needed is missing, empty,
	// cut to nothing, unknown or unreadable.
	CouldNotLook Code = 2
	// Usage: a wrong flag or argument, or an internal error.
	Usage Code = 3
)

// Error is an error with the exit status it leads to.
type Error struct {
	Code Code
	Err  error // not nil
}

// Error returns the text of Err.
func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// Of returns the exit status for err: Clean for nil, the Code of the first
// Error that err wraps, Usage for any other error.
func Of(err error) Code {
	if err == nil {
		return Clean
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Usage
}
