package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"headroom/runs"
)

// pairsValue is a flag of the form KEY=VALUE that may be given again; if comma
// is set, one flag may hold several pairs. A key given two values is an error.
type pairsValue struct {
	m     *map[string]string
	comma bool
}

func (v pairsValue) Type() string { return "KEY=VALUE" }

func (v pairsValue) String() string {
	if v.m == nil {
		return ""
	}
	var out []string
	for k, val := range *v.m {
		out = append(out, k+"="+val)
	}
	slices.Sort(out)
	return strings.Join(out, ",")
}

func (v pairsValue) Set(s string) error {
	parts := []string{s}
	if v.comma {
		parts = strings.Split(s, ",")
	}
	for _, part := range parts {
		key, val, ok := strings.Cut(part, "=")
		key, val = strings.TrimSpace(key), strings.TrimSpace(val)
		if !ok || key == "" {
			return fmt.Errorf("%q is not KEY=VALUE", part)
		}
		if *v.m == nil {
			*v.m = map[string]string{}
		}
		if old, ok := (*v.m)[key]; ok && old != val {
			return fmt.Errorf("%s is given twice, as %q and %q", key, old, val)
		}
		(*v.m)[key] = val
	}
	return nil
}

// window is a half-open interval of time as START/END in RFC 3339.
type window struct{ start, end time.Time }

// manifest is the window as a manifest holds it, nil if none was given.
func (w window) manifest() *runs.Window {
	if w.start.IsZero() {
		return nil
	}
	return &runs.Window{Start: w.start.Format(time.RFC3339Nano), End: w.end.Format(time.RFC3339Nano), Declared: true}
}

// windowValue is the flag of a window.
type windowValue struct{ w *window }

func (v windowValue) Type() string { return "START/END" }

func (v windowValue) String() string {
	if v.w == nil || v.w.start.IsZero() {
		return ""
	}
	return v.w.start.Format(time.RFC3339Nano) + "/" + v.w.end.Format(time.RFC3339Nano)
}

func (v windowValue) Set(s string) error {
	from, to, ok := strings.Cut(s, "/")
	if !ok {
		return fmt.Errorf("want START/END, two RFC 3339 instants as 2026-08-17T12:00:00Z/2026-08-17T12:10:00Z")
	}
	start, err := parseInstant(from)
	if err != nil {
		return err
	}
	end, err := parseInstant(to)
	if err != nil {
		return err
	}
	if !start.Before(end) {
		return fmt.Errorf("the window ends before it starts")
	}
	v.w.start, v.w.end = start, end
	return nil
}

// instantValue is the flag of an instant.
type instantValue struct{ t *time.Time }

func (v instantValue) Type() string { return "TIME" }

func (v instantValue) String() string {
	if v.t == nil || v.t.IsZero() {
		return ""
	}
	return v.t.Format(time.RFC3339Nano)
}

func (v instantValue) Set(s string) (err error) {
	*v.t, err = parseInstant(s)
	return err
}

func parseInstant(s string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339Nano, strings.TrimSpace(s))
	if err != nil {
		return time.Time{}, fmt.Errorf("%q is no RFC 3339 instant with its offset, as 2026-08-17T12:00:00Z", s)
	}
	return t.UTC(), nil
}

// dateValue is the flag of a day, or of an instant.
type dateValue struct{ t *time.Time }

func (v dateValue) Type() string { return "DATE" }

func (v dateValue) String() string { return instantValue(v).String() }

func (v dateValue) Set(s string) (err error) {
	if *v.t, err = time.Parse(time.DateOnly, strings.TrimSpace(s)); err == nil {
		return nil
	}
	if *v.t, err = parseInstant(s); err != nil {
		return fmt.Errorf("%q is no day, as 2026-08-17, and no RFC 3339 instant with its offset", s)
	}
	return nil
}

// choiceValue is a flag that takes one of a few words.
type choiceValue struct {
	s    *string
	from []string
}

func (v choiceValue) Type() string { return strings.Join(v.from, "|") }

func (v choiceValue) String() string {
	if v.s == nil {
		return ""
	}
	return *v.s
}

func (v choiceValue) Set(s string) error {
	if !slices.Contains(v.from, s) {
		return fmt.Errorf("want %s", strings.Join(v.from, ", "))
	}
	*v.s = s
	return nil
}

// positive is a number that must be above zero.
type positive[T int | int64 | float64 | time.Duration] struct {
	v     *T
	parse func(string) (T, error)
	kind  string
}

func (p positive[T]) Type() string { return p.kind }

func (p positive[T]) String() string {
	if p.v == nil || *p.v == 0 {
		return ""
	}
	return fmt.Sprint(*p.v)
}

func (p positive[T]) Set(s string) error {
	n, err := p.parse(s)
	if err != nil {
		return err
	}
	if !(n > 0) {
		return fmt.Errorf("must be above zero")
	}
	*p.v = n
	return nil
}

// parseDuration reads a length of time, which needs a unit.
func parseDuration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, fmt.Errorf("%q is no length of time: write it with its unit, as 100ms, 1.5s or 10m", s)
	}
	return d, nil
}

// floatsValue is a flag that takes numbers above zero, by commas or again.
type floatsValue struct{ v *[]float64 }

func (v floatsValue) Type() string { return "N,N" }

func (v floatsValue) String() string {
	if v.v == nil {
		return ""
	}
	var parts []string
	for _, n := range *v.v {
		parts = append(parts, strconv.FormatFloat(n, 'g', -1, 64))
	}
	return strings.Join(parts, ",")
}

func (v floatsValue) Set(s string) error {
	for part := range strings.SplitSeq(s, ",") {
		n, err := parseFinite(strings.TrimSpace(part))
		if err != nil {
			return err
		}
		if !(n > 0) {
			return fmt.Errorf("%q must be above zero", part)
		}
		*v.v = append(*v.v, n)
	}
	return nil
}
