package rule

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"
)

// Program is a compiled expression over named values.
type Program struct {
	code *vm.Program
	// place gives an error file, line and column, where the expression stands in a
	// file; nil elsewhere.
	place func(error) error
}

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
	if err != nil {
		return nil, placeOf(err)
	}
	return &Program{code: code}, nil
}

// placeOf is an error of the library with its place in the expression.
func placeOf(err error) *PlaceError {
	var at *file.Error
	if errors.As(err, &at) {
		return &PlaceError{at.Line, at.Column, plainWords(at.Message)}
	}
	return &PlaceError{1, 0, plainWords(err.Error())}
}

// EvalError says that an expression gave no answer for a row or a window.
type EvalError struct{ msg string }

func (e *EvalError) Error() string { return e.msg }

// failed is an error of the evaluation, with the place of the expression.
func (p *Program) failed(err error) error {
	if p.place != nil {
		err = p.place(err)
	}
	head, _, _ := strings.Cut(err.Error(), "\n") // without the line of the file: it is part of an answer
	return &EvalError{head}
}

// goTypes are the library's words for types.
var goTypes = regexp.MustCompile(`\b(float64|int|string|bool)\b`)

// plainWords says types as people do.
func plainWords(msg string) string {
	return goTypes.ReplaceAllStringFunc(msg, func(word string) string {
		return map[string]string{"float64": "number", "int": "number", "string": "text", "bool": "condition"}[word]
	})
}

// True evaluates a condition. A value that is not a number makes every
// comparison false; that is the caller's to prevent.
func (p *Program) True(vars Vars) (bool, error) {
	out, err := expr.Run(p.code, map[string]any(vars))
	if err != nil {
		return false, p.failed(placeOf(err))
	}
	b, ok := out.(bool)
	if !ok {
		return false, p.failed(fmt.Errorf("the expression gave %v, want true or false", out))
	}
	return b, nil
}

// Value evaluates a number; one that is not finite is an error. Errors are of type
// EvalError; those of the expressions of a file say file, line and column.
func (p *Program) Value(vars Vars) (float64, error) {
	out, err := expr.Run(p.code, map[string]any(vars))
	if err != nil {
		return 0, p.failed(placeOf(err))
	}
	v, ok := out.(float64)
	if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, p.failed(fmt.Errorf("the expression gave %v, want a finite number", out))
	}
	return v, nil
}
