package rescan

import (
	"cmp"
	"slices"

	"headroom/analyze"
	"headroom/detect"
)

// place of a detector's look.
type look struct {
	detector string
	scope    detect.Scope
}

// sight says what a result's detectors could see.
type sight struct {
	ran   map[string]bool // detectors that looked, or tried to
	looks map[look]*analyze.Look
}

func sightOf(r *analyze.Result, ran []Detector) sight {
	s := sight{map[string]bool{}, map[look]*analyze.Look{}}
	for _, d := range ran {
		s.ran[d.Name] = true
	}
	for i := range r.Looked {
		l := &r.Looked[i]
		s.looks[look{l.Detector, l.Scope}] = l
	}
	return s
}

// why says why a detector cannot see a scope, "" if it can. One that could look at
// nothing says so of the run, and not of each scenario.
func (s sight) why(at look) string {
	l := s.looks[at]
	if l == nil {
		at.scope.Scenario = ""
		l = s.looks[at]
	}
	switch {
	case !s.ran[at.detector]:
		return "there is no such detector in this scan; give its file with --detector"
	case l != nil && !l.Could:
		return l.Why
	}
	return ""
}

// compareFindings compares the findings of a run. only names the detectors that
// are compared; none: all.
func compareFindings(f *Findings, old, now *analyze.Result, ran []Detector, only []string) {
	wanted := func(name string) bool { return len(only) == 0 || slices.Contains(only, name) }
	can := sightOf(now, ran)
	lost := map[look]*Blind{}
	for _, l := range old.Looked {
		at := look{l.Detector, l.Scope}
		if why := can.why(at); l.Could && wanted(l.Detector) && why != "" {
			lost[at] = &Blind{Detector: l.Detector, Scope: l.Scope, Why: why}
		}
	}
	before, after := grouped(old.Findings, wanted), grouped(now.Findings, wanted)
	for at, was := range before {
		why := can.why(at)
		if why == "" {
			f.pair(was, after[at])
			continue
		}
		if lost[at] == nil {
			lost[at] = &Blind{Detector: at.detector, Scope: at.scope, Why: why}
		}
		lost[at].Had = len(was)
	}
	for at, is := range after {
		if len(before[at]) == 0 {
			f.New = append(f.New, is...)
		}
	}
	for _, b := range lost {
		f.Blind = append(f.Blind, *b)
	}
	f.sort()
}

// grouped puts findings together by detector and scope, in order of time.
func grouped(fs []detect.Finding, wanted func(string) bool) map[look][]detect.Finding {
	out := map[look][]detect.Finding{}
	for _, f := range fs {
		if wanted(f.Detector) {
			at := look{f.Detector, f.Scope}
			out[at] = append(out[at], f)
		}
	}
	for _, group := range out {
		slices.SortStableFunc(group, byTime)
	}
	return out
}

func byTime(a, b detect.Finding) int {
	return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
}

// pair matches the findings of one detector and scope: first those that lie at
// the same time, then those that overlap.
func (f *Findings) pair(old, now []detect.Finding) {
	partner := make([]int, len(old))
	taken := make([]bool, len(now))
	match := func(fits func(a, b *detect.Finding) bool) {
		for i := range old {
			for j := 0; partner[i] == 0 && j < len(now) && now[j].Start <= old[i].End; j++ {
				if !taken[j] && fits(&old[i], &now[j]) {
					partner[i], taken[j] = j+1, true
				}
			}
		}
	}
	match(func(a, b *detect.Finding) bool { return a.Start == b.Start && a.End == b.End })
	match(func(a, b *detect.Finding) bool { return a.Start <= b.End && b.Start <= a.End })
	for i, j := range partner {
		switch {
		case j == 0:
			f.Gone = append(f.Gone, old[i])
		case sameFinding(&old[i], &now[j-1]):
			f.Unchanged++
		default:
			f.Changed = append(f.Changed, ChangedFinding{old[i], now[j-1]})
		}
	}
	for j := range now {
		if !taken[j] {
			f.New = append(f.New, now[j])
		}
	}
}

// sameFinding compares what a page says of findings: when, how bad, what was
// measured, and what it is put down to. Words are made from those.
func sameFinding(a, b *detect.Finding) bool {
	if a.Start != b.Start || a.End != b.End || a.Severity != b.Severity || a.Fingerprint != b.Fingerprint || len(a.Measures) != len(b.Measures) {
		return false
	}
	for name, v := range a.Measures {
		if w, ok := b.Measures[name]; !ok || !same(v, w) {
			return false
		}
	}
	if a.Attribution == nil || b.Attribution == nil {
		return a.Attribution == b.Attribution
	}
	return a.Attribution.Status == b.Attribution.Status && a.Attribution.Cause == b.Attribution.Cause
}

// sort puts everything in order of time, detector and scope.
func (f *Findings) sort() {
	order := func(a, b detect.Finding) int {
		return cmp.Or(byTime(a, b), cmp.Compare(a.Detector, b.Detector), compareScopes(a.Scope, b.Scope))
	}
	slices.SortStableFunc(f.New, order)
	slices.SortStableFunc(f.Gone, order)
	slices.SortStableFunc(f.Changed, func(a, b ChangedFinding) int { return order(a.Old, b.Old) })
	slices.SortFunc(f.Blind, compareBlind)
}

func compareBlind(a, b Blind) int {
	return cmp.Or(cmp.Compare(a.Detector, b.Detector), compareScopes(a.Scope, b.Scope))
}

func compareScopes(a, b detect.Scope) int {
	return cmp.Or(
		cmp.Compare(a.Configuration, b.Configuration), cmp.Compare(a.Run, b.Run), cmp.Compare(a.Scenario, b.Scenario),
		cmp.Compare(a.Step, b.Step), cmp.Compare(a.Op, b.Op))
}

// blindOf lists where the detectors named could not look at a run.
func blindOf(r *analyze.Result, only []string) []Blind {
	var out []Blind
	for _, l := range r.Looked {
		if !l.Could && slices.Contains(only, l.Detector) {
			out = append(out, Blind{Detector: l.Detector, Scope: l.Scope, Why: l.Why})
		}
	}
	slices.SortFunc(out, compareBlind)
	return out
}
