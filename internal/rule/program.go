package rule

import (
	"errors"
	"fmt"
	"math"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"
)

// Program is a compiled expression over named values.
type Program struct{ code *vm.Program }

// PlaceError is something wrong at a place within an expression. Column counts
// from 0.
type PlaceError struct {
	Line, Column int
	Msg          string
}

func (e *PlaceError) Error() string { return fmt.Sprintf("column %d: %s", e.Column+1, e.Msg) }

// maxNodes bounds an expression: a rule is a line, not a program.
const maxNodes = 500

// Vars are the names that an expression may use, with a value of each one's
// type: float64, string or bool.
type Vars map[string]any

// Condition compiles an expression that is true or false.
func Condition(text string, vars Vars) (*Program, error) { return compile(text, vars, expr.AsBool()) }

// Number compiles an expression that is a number.
func Number(text string, vars Vars) (*Program, error) { return compile(text, vars, expr.AsFloat64()) }

func compile(text string, vars Vars, as expr.Option) (*Program, error) {
	options := []expr.Option{
		expr.Env(map[string]any(vars)), as, expr.MaxNodes(maxNodes),
		// An answer depends on the run alone: no clock.
		expr.DisableBuiltin("now"), expr.DisableBuiltin("date"), expr.DisableBuiltin("timezone"),
	}
	code, err := expr.Compile(text, options...)
	var at *file.Error
	if errors.As(err, &at) {
		return nil, &PlaceError{at.Line, at.Column, at.Message}
	}
	if err != nil {
		return nil, &PlaceError{1, 0, err.Error()}
	}
	return &Program{code}, nil
}

// True evaluates a condition. A value that is not a number makes every
// comparison false; that is the caller's to prevent.
func (p *Program) True(vars Vars) (bool, error) {
	out, err := expr.Run(p.code, map[string]any(vars))
	if err != nil {
		return false, err
	}
	b, ok := out.(bool)
	if !ok {
		return false, fmt.Errorf("the expression gave %T, want true or false", out)
	}
	return b, nil
}

// Value evaluates a number; one that is not finite is an error.
func (p *Program) Value(vars Vars) (float64, error) {
	out, err := expr.Run(p.code, map[string]any(vars))
	if err != nil {
		return 0, err
	}
	v, ok := out.(float64)
	if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("the expression gave %v, want a finite number", out)
	}
	return v, nil
}
