package conformance

import (
	"fmt"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// difference is the largest difference seen between a figure that a tool printed
// and headroom's, of all files.
type difference struct {
	file   string
	figure figure
	own    float64
	none   bool // headroom has no such figure: no request was ok
}

// relative returns by how much the printed figure is off headroom's, as a share.
func (d difference) relative() float64 {
	switch {
	case d.none:
		return 0
	case d.own == 0:
		return math.Inf(1)
	}
	return math.Abs(d.figure.value-d.own) / math.Abs(d.own)
}

// agreement collects what was compared.
type agreement struct {
	figures, equal, explained map[string]int // by tool
	runs                      map[string]int
	quoted                    map[string]int // reports that stand alone, by tool
	largest                   map[*explanation]difference
}

// TestCorpusPrintedSummaries compares what each load generator of the corpus
// printed of its own run with what headroom computes from what the tool recorded
// of it. A figure agrees if it is headroom's to the last digit that was printed;
// what differs further must be one of the explanations, and must then be what the
// explanation says it is. An explanation that nothing needs fails as well.
//
// docs/formats/agreement.md is written by -update.
func TestCorpusPrintedSummaries(t *testing.T) {
	root := dataFolder(t, "HEADROOM_CORPUS", "corpus")
	index := printedInIndex(t, root)
	a := &agreement{map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, map[*explanation]difference{}}
	compared, asked := 0, 0
	for _, g := range runsOfCorpus(t, root) {
		t.Run(g.name, func(t *testing.T) {
			sides := g.read(t, root)
			printed := slices.Concat(g.consoles(t, root), index.of(g))
			for _, s := range sides {
				a.runs[g.tool]++
				n, m := a.compare(t, g, s, slices.Concat(s.reported, printed))
				compared, asked = compared+n, asked+m
			}
			if len(sides) == 0 {
				n, m := a.alone(t, g, root, printed)
				compared, asked = compared+n, asked+m
			}
		})
	}
	t.Logf("answered %d of %d ids", compared, asked)
	if compared == 0 {
		t.Error("no printed figure was compared")
	}
	if os.Getenv("HEADROOM_CORPUS") != "" {
		return // the explanations and the page are of the corpus that the project was made with
	}
	for i := range explanations {
		if e := &explanations[i]; a.largest[e].file == "" {
			t.Errorf("the explanation of %s %s (%s) is of no figure any more", e.tool, e.figures, e.theirs)
		}
	}
	agreementPage(t, a)
}

// compare compares printed figures with what was recorded. It returns how many
// had an answer, of how many.
func (a *agreement) compare(t *testing.T, g corpusRun, s *side, printed []figure) (n, of int) {
	for _, f := range printed {
		own, ok := s.figure(f, false)
		if ok && s.agrees(f, own) {
			n, of = n+1, of+1
			a.figures[g.tool]++
			a.equal[g.tool]++
			continue
		}
		if !ok && !s.must(f) {
			continue // of a part that the recording does not tell apart
		}
		of++
		e, why := explain(g.tool, s, f, printed)
		if e == nil {
			t.Errorf("%s: %s of %q is %v as printed and %v as computed from %s: beyond rounding, and not explained%s", f.file, f.id, f.of, f.value, own.value, s.format, why)
			continue
		}
		n++
		a.figures[g.tool]++
		a.explained[g.tool]++
		d := difference{file: path.Join(path.Dir(g.files[0]), path.Base(f.file)), figure: f, own: own.value, none: !ok}
		if old, seen := a.largest[e]; !seen || d.relative() > old.relative() {
			a.largest[e] = d
		}
	}
	return n, of
}

// agrees reports whether a figure is headroom's as far as its digits go.
func (s *side) agrees(f figure, own within) bool {
	half := f.half(own.value)
	if strings.HasPrefix(f.id, "latency.") {
		half += s.grain / 2
	}
	if len(s.samples) == 0 && len(s.histograms) > 0 {
		return f.value >= own.low-half && f.value <= own.high+half // of a bucket nothing more is known
	}
	return math.Abs(own.value-f.value) <= half
}

// alone looks at reports of which nothing else is recorded: headroom quotes
// them, and every figure that it quotes is a number of the file. Where several
// files report one run they are compared with one another.
func (a *agreement) alone(t *testing.T, g corpusRun, root string, printed []figure) (n, of int) {
	reports := g.reports(t, root)
	var first *side
	for _, file := range sortedNames(reports) {
		figures := reports[file]
		a.quoted[g.tool]++
		text, err := os.ReadFile(filepath.Join(root, file))
		noError(t, file, err)
		numbers := numbersIn(string(text))
		for _, f := range figures {
			if slices.Contains(addedUp, f.id) || f.value == 0 { // an empty list holds no number
				continue
			}
			of++
			if !numbers.hold(f.value) {
				t.Errorf("%s: %s of %q is quoted as %v, which is no number of the file", file, f.id, f.of, f.value)
				continue
			}
			n++
		}
		if first == nil && slices.ContainsFunc(figures, func(f figure) bool { return f.id == "requests" && f.of == "" }) {
			first = &side{run: g.name, format: file, quoted: figures}
			continue
		}
		if first != nil {
			k, m := a.compare(t, g, first, figures)
			n, of = n+k, of+m
		}
	}
	if first != nil && len(printed) > 0 {
		k, m := a.compare(t, g, first, printed)
		n, of = n+k, of+m
	}
	return n, of
}

// addedUp are figures of a report that importers add up from others of it.
var addedUp = []string{"failed", "samples", "requests", "latency.count", "success", "duration"}

// figure is a number that a tool printed of its run.
type figure struct {
	file  string
	of    string // scenario, kind of request, or "" for all
	id    string
	value float64
	step  float64 // what one more in its last printed digit is worth; 0 if it is exact
	cut   bool    // its further digits were cut, not rounded
}

// half is how far a figure may be from the value that it was printed for.
func (f figure) half(value float64) float64 {
	step := f.step / 2
	if f.cut {
		step = f.step
	}
	return step + 1e-9*math.Abs(value)
}

func (f figure) String() string { return fmt.Sprintf("%s %s=%v±%v", f.of, f.id, f.value, f.step) }
