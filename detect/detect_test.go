package detect

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"headroom/internal/runtest"
	"headroom/runs"

	"pgregory.net/rapid"
)

const ms = int64(time.Millisecond)

// load is so many requests a second for so long, each of the base latency.
func load(perSecond int, length time.Duration, base int64) *Requests {
	var rows []Request
	step := second / int64(perSecond)
	for t := int64(0); t < int64(length); t += step {
		rows = append(rows, Request{Start: t, Wait: runs.Missing, Service: base, Events: 1})
	}
	return NewRequests("s", false, rows...)
}

// collected returns the requests of r.
func (r *Requests) collected() (rows []Request) {
	for q := range r.All() {
		rows = append(rows, *q)
	}
	return rows
}

// changed returns the requests of r, each as change leaves it.
func (r *Requests) changed(change func(*Request)) *Requests {
	rows := r.collected()
	for i := range rows {
		change(&rows[i])
	}
	return NewRequests(r.Scenario, r.Response, rows...)
}

// stop freezes everything between two instants: what is in flight or starts in
// between ends at the thaw.
func (r *Requests) stop(from, to int64) *Requests {
	*r = *r.changed(func(q *Request) {
		if q.Start < to && q.End() > from {
			q.Service = max(q.Service, to-q.Start)
		}
	})
	return r
}

func (r *Requests) shifted(by int64) *Requests {
	return r.changed(func(q *Request) { q.Start += by })
}

func TestFreezeFindsAStopWithItsOnsetAndThaw(t *testing.T) {
	r := load(100, 20*time.Second, 8*ms).stop(7300*ms, 7600*ms)
	s := PublishedFreeze.Sweep(r, PublishedFreeze.Thin)
	if len(s.Episodes) != 1 {
		t.Fatalf("%d episodes, want 1", len(s.Episodes))
	}
	e := s.Episodes[0]
	if d := e.Onset - 7300*ms; d < -10*ms || d > 10*ms {
		t.Errorf("onset is off by %v", time.Duration(d))
	}
	if d := e.Thaw - 7600*ms; d < 0 || d > 10*ms {
		t.Errorf("thaw is off by %v", time.Duration(d))
	}
	if e.Worst != 300*ms {
		t.Errorf("worst is %v, want 300ms", time.Duration(e.Worst))
	}
}

func TestCleanLoadHasNoFreeze(t *testing.T) {
	if s := PublishedFreeze.Sweep(load(100, time.Minute, 8*ms), 20); len(s.Episodes) > 0 || s.Expected != 0 {
		t.Errorf("a clean load: %+v", s)
	}
}

// A stall of the generator shows in the response, counted from when work was
// due, and not in the service (DETECTION 2.7).
func TestGeneratorStallShowsInTheResponseOnly(t *testing.T) {
	r := load(100, 10*time.Second, 8*ms)
	r = r.changed(func(q *Request) {
		q.Wait = 0
		if q.Start >= 4*second && q.Start < 4*second+300*ms {
			q.Wait = 4*second + 300*ms - q.Start
		}
	})
	if n := len(PublishedFreeze.Frozen(r, 0, ByStart).Seconds); n != 0 {
		t.Errorf("by service: %d freeze-seconds, want 0", n)
	}
	r.Response = true
	if n := len(PublishedFreeze.Frozen(r, 0, ByStart).Seconds); n != 1 {
		t.Errorf("by response: %d freeze-seconds, want 1", n)
	}
}

// loads draws loads with stops, at whatever phase of the second.
func loads(t *rapid.T) *Requests {
	r := load(rapid.SampledFrom([]int{25, 100, 400}).Draw(t, "rate"), 40*time.Second, 8*ms)
	for range rapid.IntRange(0, 4).Draw(t, "stops") {
		at := rapid.Int64Range(0, 39*second).Draw(t, "at")
		r.stop(at, at+rapid.Int64Range(20*ms, 3*second).Draw(t, "for"))
	}
	return r
}

// Shifting a run by any amount, part of a second included, moves what the
// phase-free rules find by that amount and changes nothing else.
func TestShiftInvariance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := loads(t)
		by := rapid.Int64Range(-1e15, 1e15).Draw(t, "by")
		a, b := PublishedFreeze.Sweep(r, 20), PublishedFreeze.Sweep(r.shifted(by), 20)
		if a.Expected != b.Expected || len(a.Episodes) != len(b.Episodes) {
			t.Fatalf("%d episodes, expected %v; shifted %d, %v", len(a.Episodes), a.Expected, len(b.Episodes), b.Expected)
		}
		for i, e := range a.Episodes {
			e.Window.Start, e.Window.End, e.Onset, e.Thaw = e.Window.Start+by, e.Window.End+by, e.Onset+by, e.Thaw+by
			if e != b.Episodes[i] {
				t.Fatalf("episode %+v, shifted %+v", e, b.Episodes[i])
			}
		}
		span := Span{0, 40 * second}
		c := PublishedWindow.Sliding(r, span, 100*ms)
		d := PublishedWindow.Sliding(r.shifted(by), Span{by, by + 40*second}, 100*ms)
		if c.Worst != d.Worst || len(c.Windows) != len(d.Windows) {
			t.Fatalf("sliding %+v, shifted %+v", c, d)
		}
	})
}

// The mean count over many phases of the grid approaches the exact one.
func TestExpectedIsTheMeanOverPhases(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := loads(t)
		rule := PublishedFreeze
		rule.Thin = 0
		sum := 0
		const phases = 200
		for p := range int64(phases) {
			sum += len(rule.Frozen(r, p*second/phases, ByStart).Seconds)
		}
		want := rule.Sweep(r, 0).Expected
		if got := float64(sum) / phases; got < want-0.2 || got > want+0.2 {
			t.Fatalf("mean over %d phases %v, exact %v", phases, got, want)
		}
	})
}

// Requests of median latency make no freeze, and cannot hide a longer worst one.
func TestRowsInAnyOrderGiveTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := loads(t)
		shuffled := NewRequests("s", false, rapid.Permutation(r.collected()).Draw(t, "order")...)
		a, b := PublishedFreeze.Sweep(r, 20), PublishedFreeze.Sweep(shuffled, 20)
		if a.Expected != b.Expected || len(a.Episodes) != len(b.Episodes) {
			t.Fatalf("%+v, shuffled %+v", a, b)
		}
	})
}

func TestSlidingP99AgreesWithSorting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := loads(t)
		got := slidingP99(r, Span{0, 40 * second}, 10*second, 5*second)
		for i, v := range got {
			at := int64(i) * 5 * second
			if want := Buckets(r, Span{at, at + 10*second}, 10*second)[0]; v != want {
				t.Fatalf("window at %d s: %d, sorting gives %d", at/second, v, want)
			}
		}
	})
}

// Every Detector that the package declares is in All, is documented, and its
// parameters are.
func TestAllIsComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range All {
		if seen[d.Name] || d.Name == "" || d.Version < 1 || d.Run == nil || len(d.Needs) == 0 || !strings.Contains(d.Doc, "Cannot see") {
			t.Errorf("detector %q is declared twice, or lacks a name, version, need, function or what it cannot see", d.Name)
		}
		seen[d.Name] = true
		for _, p := range d.Params {
			if p.Name == "" || p.Unit == "" || p.Doc == "" {
				t.Errorf("detector %s: parameter %+v is not documented", d.Name, p)
			}
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if c, ok := n.(*ast.UnaryExpr); ok && c.Op == token.AND {
				if lit, ok := c.X.(*ast.CompositeLit); ok {
					if id, ok := lit.Type.(*ast.Ident); ok && id.Name == "Detector" {
						declared++
					}
				}
			}
			return true
		})
	}
	rules, err := ruleFiles.ReadDir("rules")
	if err != nil {
		t.Fatal(err)
	}
	if declared+len(rules) != len(All) {
		t.Errorf("%d detectors are declared in Go and %d in rules, %d are in All", declared, len(rules), len(All))
	}
}

// An expression that gives no number for some window is what its detector could not
// look at, said with its place; nothing else is lost.
func TestExpressionWithoutAnAnswer(t *testing.T) {
	d, err := ParseDetector("own.yaml", []byte("name: own\ndoc: X. Cannot see the rest.\ninput: samples\nwindow: {kind: run}\nwhen: n > 0\nmeasures: {odd: n / (n - n)}\n"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := runtest.Parse("x", "run 10s 20/s")
	if err != nil {
		t.Fatal(err)
	}
	run, err := c.Run()
	if err != nil {
		t.Fatal(err)
	}
	p, err := d.Apply(pass(run), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := "own.yaml:6:17: the expression gave +Inf, want a finite number"
	if len(p.Findings) > 0 || len(p.Looks) != 1 || p.Looks[0].Could || p.Looks[0].Why != want {
		t.Errorf("findings %v, looks %+v, want %q", p.Findings, p.Looks, want)
	}
}
