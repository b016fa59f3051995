package ingest

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"headroom/runs"
)

// byStart sorts samples so that runs in another order compare equal.
func byStart(samples []runs.Sample) []runs.Sample {
	out := slices.Clone(samples)
	slices.SortFunc(out, func(a, b runs.Sample) int {
		if a.StartNanos() != b.StartNanos() {
			return int(min(max(a.StartNanos()-b.StartNanos(), -1), 1))
		}
		return int(min(max(a.Service-b.Service, -1), 1))
	})
	return out
}

// TestK6AnyOrderOfLines: the lines of a file in another order give the same run.
func TestK6AnyOrderOfLines(t *testing.T) {
	text := string(k6Lines(300))
	in, whole := readText(t, K6JSON, "k6.json", text, Options{})
	lines := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	lines[len(lines)-1] += "\n"
	rng := rand.New(rand.NewPCG(1, 2))
	for range 5 {
		rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		in2, mixed := readText(t, K6JSON, "k6.json", strings.Join(lines, ""), Options{})
		if !slices.Equal(byStart(whole.samples), byStart(mixed.samples)) {
			t.Error("the samples differ")
		}
		if in.Meta.Claims["events_sent"] != in2.Meta.Claims["events_sent"] || in.Meta.Claims["events_sent"] != "3000" {
			t.Errorf("claims %v and %v", in.Meta.Claims, in2.Meta.Claims)
		}
	}
}

// TestK6CutAnywhere: of a file that is cut at any byte, plain or compressed, what
// is whole is kept, what is not is never counted, and the cut is told.
func TestK6CutAnywhere(t *testing.T) {
	text := k6Lines(20)
	_, all := readText(t, K6JSON, "k6.json", string(text), Options{})
	for n := 200; n < len(text); n += 97 {
		in, part := readText(t, K6JSON, "k6.json", string(text[:n]), Options{})
		whole := text[n-1] == '\n' || text[n] == '\n'
		if in.Meta.Cut == whole {
			t.Errorf("cut at byte %d: Cut is %v", n, in.Meta.Cut)
		}
		if in.bad > 0 || len(part.samples) > len(all.samples) || in.Meta.Cut && in.Meta.DropsKnown {
			t.Errorf("cut at byte %d: %d bad lines, %d samples, drops known %v", n, in.bad, len(part.samples), in.Meta.DropsKnown)
		}
		for i, s := range part.samples[:max(len(part.samples)-1, 0)] { // the last may lack phases
			if s != all.samples[i] {
				t.Fatalf("cut at byte %d: sample %d is %+v", n, i, s)
			}
		}
	}
	packed := gzipped(string(text))
	content, err := NewContent("k6.json.gz", bytes.NewReader(packed[:len(packed)*2/3]), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	in, part := NewInput("k6.json.gz", content, Options{}), &rows{}
	if err := K6JSON.Read(in, part); err != nil {
		t.Fatal(err)
	}
	if !in.Meta.Cut || in.Meta.DropsKnown || len(part.samples) == 0 || len(part.samples) >= len(all.samples) {
		t.Errorf("cut gzip: Cut %v, drops known %v, %d samples of %d", in.Meta.Cut, in.Meta.DropsKnown, len(part.samples), len(all.samples))
	}
}

// TestK6WindowIsBounded: a file that lacks a metric holds no more requests back
// than the window, and loses none of them.
func TestK6WindowIsBounded(t *testing.T) {
	var text bytes.Buffer
	for line := range bytes.Lines(k6Lines(500)) {
		if !bytes.Contains(line, []byte("http_req_failed")) {
			text.Write(line)
		}
	}
	dst := &rows{}
	k := newK6Reader(NewInput("k6.json", nil, Options{}), dst)
	k.requests.window = 10
	in := NewInput("k6.json", &text, Options{})
	lines, l := in.Lines(), newK6Line()
	for lines.Next() {
		if err := l.parse(lines.Bytes()); err != nil {
			t.Fatal(err)
		}
		if reason, err := k.line(l); err != nil || reason != "" {
			t.Fatal(reason, err)
		}
		if k.requests.n > 10 || len(k.requests.open) > 10 {
			t.Fatalf("%d requests are held", k.requests.n)
		}
	}
	if err := k.close(); err != nil {
		t.Fatal(err)
	}
	if len(dst.samples) != 500 || !slices.IsSortedFunc(dst.samples, func(a, b runs.Sample) int { return int(a.StartNanos()-b.StartNanos()) / 100_000_000 }) {
		t.Errorf("%d samples came out", len(dst.samples))
	}
	for _, s := range dst.samples {
		if s.Outcome != runs.OK || s.Receiving == runs.Missing {
			t.Fatalf("sample %+v", s)
		}
	}
}

// TestK6QuickAgrees: the short way through a line gives what the long one does.
func TestK6QuickAgrees(t *testing.T) {
	text := k6Lines(50)
	_, quick := readText(t, K6JSON, "k6.json", string(text), Options{})
	// A blank after each colon that k6 writes there keeps lines off the short way.
	spaced := strings.ReplaceAll(string(text), `"data":`, `"data": `)
	_, long := readText(t, K6JSON, "k6.json", spaced, Options{})
	if !slices.Equal(quick.samples, long.samples) || !slices.Equal(quick.points, long.points) {
		t.Error("the two ways give different rows")
	}
}

// TestK6TagCache: sets of tags that are many more than the cache holds do not
// come apart from their requests.
func TestK6TagCache(t *testing.T) {
	var c k6TagCache
	first := &k6Tags{}
	c.store("first", first)
	for i := range 3 * tagGeneration / 2 {
		c.store(string([]byte{byte(i), byte(i >> 8), byte(i >> 16)}), &k6Tags{})
		if i%1000 == 0 && c.lookup([]byte("first")) != first {
			t.Fatalf("after %d others a set that is in use was forgotten", i)
		}
	}
	if len(c.young) > tagGeneration || len(c.old) > tagGeneration {
		t.Errorf("the cache holds %d and %d sets", len(c.young), len(c.old))
	}
}
