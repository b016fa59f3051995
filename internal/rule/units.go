package rule

import (
	"fmt"
	"maps"
	"strings"

	"github.com/expr-lang/expr/ast"
)

// units are what the values of requests are in: SI base, as everywhere in a run.
// What is not here has no unit that the file could know: the values of points and
// markers are in their metric's own, which docs/format/metrics.md states.
var units = map[Input]map[string]string{
	Samples: {
		"latency": "s", "p50": "s", "p99": "s", "max": "s", "run_p50": "s", "run_p99": "s", "rate": "1/s", "run_rate": "1/s",
		"n": plain, "failed": plain, "rejected": plain, "timeouts": plain, "dropped": plain, "share": plain, "groups": plain,
	},
	Sessions: {"sessions": plain, "active": plain, "waiting": plain, "blocked": plain, "top": plain},
	Points:   {"n": plain, "rising": plain, "at_max": plain},
	Markers:  {"n": plain, "rising": plain, "at_max": plain},
}

const (
	plain   = "1" // a plain number, which a bare one may be compared with
	bare    = "bare"
	unknown = ""
)

// UnitOf returns the unit of a name that expressions over an input may use, ""
// where it is the metric's own.
func UnitOf(in Input, name string) string { return units[in][name] }

// levelNames are what windows over a series of a metric hold in the metric's own unit.
var levelNames = []string{"value", "first", "last", "min", "max", "mean", "median", "sum", "growth", "drop", "run_median", "run_max", "run_min"}

// MeasureUnit returns the unit of a measure as far as its expression shows it: that
// of the values it names, "1" of a plain number, "" where it cannot be told. level is
// the unit of the values of points or markers, "" if they have none that is known.
func (d *Definition) MeasureUnit(m Measure, level string) string {
	of := maps.Clone(units[d.Input])
	for _, p := range d.Params {
		of[p.Name] = p.Unit
	}
	if d.Input == Points || d.Input == Markers {
		for _, name := range levelNames {
			of[name] = level
		}
		of["slope"] = per(level)
	}
	c := unitChecker{of: of}
	if u := c.unit(m.Value.code.Node()); u != bare {
		return u
	}
	return plain
}

// per is a unit by the second.
func per(unit string) string {
	switch unit {
	case unknown:
		return unknown
	case plain:
		return "1/s"
	case "s": // seconds of each second
		return plain
	}
	return unit + "/s"
}

// scaled are units that are no SI base, with the base to write instead.
var scaled = map[string]string{
	"ms": "s", "us": "s", "µs": "s", "ns": "s", "sec": "s", "seconds": "s", "min": "s", "h": "s",
	"kb": "B", "kib": "B", "mb": "B", "mib": "B", "gb": "B", "gib": "B", "bytes": "B",
	"%": "1", "percent": "1", "/s": "1/s", "1/min": "1/s", "rps": "1/s", "req/s": "1/s",
}

// base returns the SI base unit to be written instead of a unit, "" if it may stay.
func base(unit string) string { return scaled[strings.ToLower(unit)] }

// checkUnits refuses a comparison of two units, and of a value that has one with a
// bare number: 200 may have been meant as milliseconds.
func checkUnits(p *Program, of map[string]string) error {
	c := unitChecker{of: of}
	node := p.code.Node()
	ast.Walk(&node, &c)
	if c.err != nil {
		return c.err
	}
	return nil
}

type unitChecker struct {
	of  map[string]string
	err *PlaceError
}

// Visit implements ast.Visitor: it judges comparisons.
func (c *unitChecker) Visit(node *ast.Node) {
	b, ok := (*node).(*ast.BinaryNode)
	if !ok || c.err != nil {
		return
	}
	switch b.Operator {
	case "<", ">", "<=", ">=", "==", "!=":
	default:
		return
	}
	left, right := c.unit(b.Left), c.unit(b.Right)
	switch {
	case left == right || left == unknown || right == unknown, left == plain && right == bare, left == bare && right == plain:
	case left == bare:
		c.refuse(b.Left, "%s is in %s: compare it with a parameter that says its unit, as params: {limit: {default: 0.2, unit: %s, doc: …}}, not with a bare number", b.Right, right, right)
	case right == bare:
		c.refuse(b.Right, "%s is in %s: compare it with a parameter that says its unit, as params: {limit: {default: 0.2, unit: %s, doc: …}}, not with a bare number", b.Left, left, left)
	default:
		c.refuse(b.Right, "%s is in %s, and %s in %s: they cannot be compared", b.Left, left, b.Right, right)
	}
}

func (c *unitChecker) refuse(at ast.Node, format string, args ...any) {
	c.err = &PlaceError{Line: 1, Column: at.Location().From, Msg: fmt.Sprintf(format, args...)}
}

// unit is what an expression is in, unknown where that cannot be told.
func (c *unitChecker) unit(node ast.Node) string {
	switch n := node.(type) {
	case *ast.IntegerNode:
		if n.Value == 0 { // none of anything
			return unknown
		}
		return bare
	case *ast.FloatNode, *ast.ConstantNode:
		return bare
	case *ast.IdentifierNode:
		return c.of[n.Value]
	case *ast.UnaryNode:
		return c.unit(n.Node)
	case *ast.BinaryNode:
		return combined(n.Operator, c.unit(n.Left), c.unit(n.Right))
	}
	return unknown
}

// combined is the unit of a sum, a product or a quotient.
func combined(operator, left, right string) string {
	number := func(u string) bool { return u == bare || u == plain }
	switch {
	case left == unknown || right == unknown:
		return unknown
	case number(left) && number(right):
		if left == right {
			return left
		}
		return plain
	case operator == "+" || operator == "-":
		if left == right {
			return left
		}
	case operator == "*" && number(left):
		return right
	case (operator == "*" || operator == "/") && number(right):
		return left
	case operator == "/" && left == right:
		return plain
	}
	return unknown
}
