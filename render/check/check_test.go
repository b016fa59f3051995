package check

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"headroom/analyze"
	"headroom/render"
)

// samples reads the capacities of the render room's samples by name. One of them
// gets prose and a kind.
func samples(t testing.TB) map[string]*analyze.Capacity {
	t.Helper()
	paths, err := filepath.Glob("../testdata/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatal("no samples", err)
	}
	out := map[string]*analyze.Capacity{}
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		c := new(analyze.Capacity)
		if err := json.Unmarshal(data, c); err != nil {
			t.Fatal(err)
		}
		shrink(c)
		out[strings.TrimSuffix(filepath.Base(p), ".json")] = c
	}
	c := out["sweep"]
	c.Kind = "capacity"
	c.Prose = &analyze.Prose{File: "words.md.tmpl", Text: `## What it carries

It sustains {{num "sweep.sustained.throughput"}}, {{ratio "throughput concurrency=16" "throughput concurrency=1"}} times one client.
{{claim "latency.p99 concurrency=16" "<" "latency.p99 concurrency=32"}}

{{table "steps"}}
`}
	return out
}

// shrink leaves so much of a capacity that building it takes milliseconds.
func shrink(c *analyze.Capacity) {
	for _, f := range c.Figures {
		for _, p := range f.Panels {
			for i := range p.Series {
				s := &p.Series[i]
				n := min(12, len(s.X))
				s.X, s.Y, s.Text = s.X[:n], s.Y[:n], s.Text[:min(n, len(s.Text))]
			}
		}
	}
	if c.Protocol != "run" { // plots are what takes longest
		c.Figures = nil
	}
	c.Results = c.Results[:min(2, len(c.Results))]
	for i := range c.Results {
		q := &c.Results[i].Quantities
		*q = (*q)[:min(32, len(*q))]
		c.Results[i].Looked = c.Results[i].Looked[:min(3, len(c.Results[i].Looked))]
	}
}

func build(t testing.TB, c *analyze.Capacity) map[string][]byte {
	t.Helper()
	files, err := render.Files(c, render.Options{Version: "1.2.3", Unfinished: true})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func alone(t testing.TB, have map[string][]byte) []Difference {
	t.Helper()
	list, _, err := Alone(have)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestUntouched finds nothing in documents as they were built, with the line ends
// of Windows, and beside files of others.
func TestUntouched(t *testing.T) {
	for name, c := range samples(t) {
		have := build(t, c)
		have["notes.txt"] = []byte("mine")
		if list := append(Compare(have, build(t, c), c), alone(t, have)...); len(list) > 0 {
			t.Errorf("%s: %v", name, list)
		}
		for file, data := range have {
			have[file] = []byte(strings.ReplaceAll(string(data), "\n", "\r\n"))
		}
		if list := append(Compare(have, build(t, c), c), alone(t, have)...); len(list) > 0 {
			t.Errorf("%s with CRLF: %v", name, list)
		}
	}
}

// mutations of each kind, in all samples together.
const mutations = 500

// TestMutatedDigits changes one digit of one file of a built document: check names
// its line, with and without the evidence.
func TestMutatedDigits(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	all := samples(t)
	names := slices.Sorted(maps.Keys(all))
	built := map[string]map[string][]byte{}
	for name, c := range all {
		built[name] = build(t, c)
	}
	for i := range mutations {
		name := names[i%len(names)]
		files := slices.Sorted(maps.Keys(built[name]))
		file := files[r.IntN(len(files))]
		have := maps.Clone(built[name])
		data, line := mutateDigit(r, have[file])
		have[file] = data
		at := fmt.Sprintf("mutation %d: %s of %s, line %d", i, file, name, line)
		mustName(t, at, file, line, Compare(have, built[name], all[name]))
		if file == CapacityFile || i%20 == 0 { // a build each
			mustName(t, at+", alone", file, line, alone(t, have))
		}
	}
}

// mutateDigit changes one digit and says in which line.
func mutateDigit(r *rand.Rand, data []byte) (out []byte, line int) {
	var at []int
	for i, b := range data {
		if b >= '0' && b <= '9' {
			at = append(at, i)
		}
	}
	i := at[r.IntN(len(at))]
	out = slices.Clone(data)
	out[i] = '0' + (out[i]-'0'+byte(1+r.IntN(9)))%10
	return out, strings.Count(string(data[:i]), "\n") + 1
}

func mustName(t *testing.T, at, file string, line int, list []Difference) {
	t.Helper()
	for _, d := range list {
		if d.File == file && d.Line == line {
			return
		}
	}
	if file == CapacityFile && slices.ContainsFunc(list, func(d Difference) bool { return d.File == file && d.What == "the seal itself" }) {
		return
	}
	t.Errorf("%s: not named by %v", at, list[:min(len(list), 5)])
}

// TestMutatedValues changes one value of the evidence: check names every line of
// the document that shows it, and nothing that does not change.
func TestMutatedValues(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2))
	all := samples(t)
	names := slices.Sorted(maps.Keys(all))
	built := map[string]map[string][]byte{}
	for name, c := range all {
		built[name] = build(t, c)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return pick(r, all[name]) == nil })
	for i := range mutations {
		name := names[i%len(names)]
		have, c := built[name], all[name]
		q := pick(r, c)
		was := *q
		v := *q.Value*(1+r.Float64()) + 1
		q.Value, q.Display = &v, analyze.Display(v, q.Unit)
		want := build(t, c)
		list := Compare(have, want, c)
		at := fmt.Sprintf("mutation %d: %s of %s", i, q.ID, name)
		changed := 0
		for file := range want {
			a, b := lines(have[file]), lines(want[file])
			if len(a) != len(b) {
				continue // the layout of a table changed with it
			}
			for k := range a {
				sealed := file == CapacityFile && strings.Contains(strings.Join(a[max(0, k-3):k], ""), `"seal"`)
				if a[k] != b[k] && !sealed {
					changed++
					mustName(t, at, file, k+1, list)
				}
			}
			for _, d := range list {
				if d.File == file && d.Line > 0 && a[d.Line-1] == b[d.Line-1] {
					t.Errorf("%s: false alarm %v", at, d)
				}
			}
		}
		if changed == 0 || !slices.ContainsFunc(list, func(d Difference) bool { return d.File == CapacityFile && strings.Contains(d.What, q.ID) }) {
			t.Errorf("%s: %d lines changed, named %v", at, changed, list[:min(5, len(list))])
		}
		*q = was
	}
}

// pick is a quantity with a value, of the document or of a run.
func pick(r *rand.Rand, c *analyze.Capacity) *analyze.Quantity {
	var list []*analyze.Quantity
	for i := range c.Quantities {
		list = append(list, &c.Quantities[i])
	}
	for i := range c.Results {
		for k := range c.Results[i].Quantities {
			list = append(list, &c.Results[i].Quantities[k])
		}
	}
	list = slices.DeleteFunc(list, func(q *analyze.Quantity) bool { return q.Value == nil })
	if len(list) == 0 {
		return nil
	}
	return list[r.IntN(len(list))]
}

// TestNames looks at what a reader is told.
func TestNames(t *testing.T) {
	c := samples(t)["sweep"]
	have := build(t, c)
	text := string(have["index.md"])
	for old, now := range map[string]string{
		"It sustains 2,864": "It sustains 2,865", "# pgbench on one host": "# pgbench on two hosts", "**✓ pass**": "**✓ sure**",
	} {
		if !strings.Contains(text, old) {
			t.Fatalf("the document does not say %q", old)
		}
		text = strings.Replace(text, old, now, 1)
	}
	have["index.md"] = []byte(text + "An afterthought of 12.\n")
	delete(have, "junit.xml")
	var got []string
	for _, d := range alone(t, have) {
		got = append(got, d.String())
	}
	all := strings.Join(got, "\n")
	for _, want := range []string{
		"2,865 must be 2,864 (What it carries: sweep.sustained.throughput", `index.md:1:14: "two hosts" must be "one host"`, `"sure" must be "pass"`,
		`nothing says "An afterthought of 12."`, "junit.xml: the file is missing",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("missing %q in\n%s", want, all)
		}
	}
}

// TestAlign pairs texts in which lines were put in, taken out and changed.
func TestAlign(t *testing.T) {
	for _, c := range []struct{ have, want string }{
		{"a b c d e f g", "a b c d e f g"}, {"a b x d e f g", "a b c d e f g"}, {"b c d e f g", "a b c d e f g"},
		{"a b c c d e g f", "a b c d e f g"}, {"", "a b"}, {"x x x", "y y"}, {"a b c d e f g h", "h a b c d e f g"},
	} {
		have, want := strings.Fields(c.have), strings.Fields(c.want)
		seenHave, seenWant := map[int]int{}, map[int]int{}
		lastHave, lastWant := -1, -1
		for _, p := range align(have, want) {
			if p.have >= 0 {
				seenHave[p.have]++
				if p.have <= lastHave {
					t.Errorf("%q against %q: have goes back", c.have, c.want)
				}
				lastHave = p.have
			}
			if p.want >= 0 {
				seenWant[p.want]++
				if p.want <= lastWant {
					t.Errorf("%q against %q: want goes back", c.have, c.want)
				}
				lastWant = p.want
			}
		}
		if len(seenHave) != len(have) || len(seenWant) != len(want) {
			t.Errorf("%q against %q: %d of %d and %d of %d", c.have, c.want, len(seenHave), len(have), len(seenWant), len(want))
		}
	}
}

func TestShort(t *testing.T) {
	if s := short(strings.Repeat("é", 200)); utf8.RuneCountInString(s) != 81 {
		t.Errorf("got %d characters", utf8.RuneCountInString(s))
	}
}

// TestNoDocument tells what is no document from what is a damaged one.
func TestNoDocument(t *testing.T) {
	if _, _, err := Alone(map[string][]byte{"index.md": nil}); err != ErrNoCapacity {
		t.Errorf("got %v", err)
	}
	have := build(t, samples(t)["run"])
	seal, _ := render.ReadSeal(have[CapacityFile])
	body := string(seal.Body)
	have[CapacityFile] = []byte(strings.TrimSuffix(body, ",\n") + "\n}\n")
	if list, _, err := Alone(have); err != ErrNoSeal || len(list) > 0 {
		t.Errorf("without a seal: %v, %v", list, err)
	}
	have[CapacityFile] = []byte("{")
	if _, c, err := Alone(have); err == nil || c != nil {
		t.Errorf("of half a file: %v", err)
	}
}
