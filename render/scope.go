package render

import (
	"strconv"
	"strings"

	"headroom/analyze"
)

// separator stands between the names of a scope.
const separator = " · "

// scopeText joins the names of a scope; an empty name means all of it.
func scopeText(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, separator)
}

// plain tells which parts of a scope go without saying: the name of the run where
// there is one run, that of the configuration where there is one, the step that
// the name of its run says, the scenario "default" of sources that have none.
type plain struct {
	run, configuration bool
	names              map[string]string // of runs, by ID
}

func newPlain(c *analyze.Capacity) plain {
	return plain{run: len(c.Results) == 1, configuration: len(c.Configurations) <= 1, names: runNames(c)}
}

// scope joins the parts of a scope that do not go without saying.
func (p plain) scope(configuration, run, scenario, step, op string) string {
	if p.configuration {
		configuration = ""
	}
	step = p.step(run, step)
	if p.run {
		run = ""
	}
	if scenario == "default" {
		scenario = ""
	}
	return scopeText(p.owner(configuration, run), scenario, step, op)
}

// interval writes two RFC 3339 times in UTC as one interval, its day once.
func interval(from, to string) string {
	day, clock, ok := utc(from)
	day2, clock2, ok2 := utc(to)
	switch {
	case from == to || to == "":
		if ok {
			return day + " " + clock + " UTC"
		}
		return from
	case from == "":
		return to
	case !ok || !ok2:
		return from + " to " + to
	case day == day2:
		return day + " " + clock + " to " + clock2 + " UTC"
	}
	return day + " " + clock + " to " + day2 + " " + clock2 + " UTC"
}

// utc cuts a time like 2026-08-17T02:14:00Z into day and clock, without a
// fraction of zero.
func utc(s string) (day, clock string, ok bool) {
	day, clock, ok = strings.Cut(s, "T")
	if !ok || !strings.HasSuffix(clock, "Z") {
		return "", "", false
	}
	clock = strings.TrimSuffix(clock, "Z")
	if whole, fraction, cut := strings.Cut(clock, "."); cut && strings.Trim(fraction, "0") == "" {
		clock = whole
	}
	return day, clock, true
}

// got is what a gate saw, as text.
func got(v analyze.Verdict) string {
	if v.Display != "" {
		return v.Display
	}
	switch g := v.Got.(type) {
	case string:
		return g
	case float64:
		return strconv.FormatFloat(g, 'f', -1, 64)
	case int:
		return strconv.Itoa(g)
	case int64:
		return strconv.FormatInt(g, 10)
	case bool:
		return strconv.FormatBool(g)
	}
	return ""
}

func leftRows(n int) string {
	return strconv.Itoa(n) + " further rows are not shown here; they are in capacity.json."
}
