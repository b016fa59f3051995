package runtest

import (
	"slices"
	"strings"
	"testing"
)

const script = `# two things at once
run 10s 100/s p50=8ms
freeze at=3.2s for=250ms
marker at=4s kind=a.b pages=7
points metric=m value=1 to=11
sessions n=3 at=2s for=1s wait=Lock:tuple
detect freeze worst=0.2
----
old answer
`

func TestRunHoldsWhatIsPlanted(t *testing.T) {
	c, err := Parse("x.txt", script)
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Run()
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Samples) != 1000 || len(r.Markers) != 1 || len(r.Points) != 11 || len(r.Activity) != 6 {
		t.Errorf("%d samples, %d markers, %d points, %d sessions", len(r.Samples), len(r.Markers), len(r.Points), len(r.Activity))
	}
	if len(r.Truth) != 1 || r.Truth[0].Start != Epoch+3200e6 || r.Truth[0].End != Epoch+3450e6 {
		t.Errorf("planted %+v", r.Truth)
	}
	slow := 0
	for _, s := range r.Samples {
		if s.Service > 50e6 {
			slow++
		}
	}
	if slow < 20 || slow > 27 {
		t.Errorf("%d slow requests, want those of the freeze's 250 ms", slow)
	}
	if c.Title != "two things at once" || c.Blocks[0].Detector != "freeze" || c.Blocks[0].Params["worst"] != "0.2" || c.Blocks[0].Want != "old answer\n" {
		t.Errorf("read as %+v", c)
	}
	if got := c.Format(script, func(int) string { return "new answer\n" }); got != strings.Replace(script, "old", "new", 1) {
		t.Errorf("written again as\n%s", got)
	}
}

func TestFaultsAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "x.txt: no run",
		"run 10s":                     "line 1: run: want run LENGTH RATE/s",
		"run 10s 1/s p5=3ms":          "p5= means nothing here",
		"run 10s 1/s\nfrieze at=1s":   `x.txt:2: there is no word "frieze"`,
		"run 10s 1/s\nfreeze at=soon": "at=soon: want a duration",
		"run 10s 1/s\ndetect freeze":  "x.txt:2: want detect NAME, and ----",
		"run 1s 1/s\ndetect a\n----\n\nfreeze at=1s for=1s": "x.txt:5:",
		"run 100000s 100000/s":                              "at most 5 million",
	} {
		c, err := Parse("x.txt", text)
		if err == nil {
			_, err = c.Run()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want …%s…", text, err, want)
		}
	}
}

func TestCountersGrow(t *testing.T) {
	c, err := Parse("x.txt", "run 4s 10/s\ncounter metric=m value=2\ncounter metric=m value=10 from=2s until=3s\n")
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Run()
	if err != nil {
		t.Fatal(err)
	}
	var got []float64
	for _, p := range r.Points {
		got = append(got, p.Value)
	}
	if want := []float64{2, 4, 14, 16, 18}; !slices.Equal(got, want) {
		t.Errorf("read %v, want %v", got, want)
	}
}

// The middle request of five, by what makes requests slower as the run goes on.
func TestPaceOfRequests(t *testing.T) {
	for line, want := range map[string]int64{
		"factor at=0s for=5s by=3": 24e6, "ramp at=0s for=5s by=2": 11.2e6, "settle by=3 tau=2s": 13886071, "modulate phi=0.5 sd=0": 8e6,
	} {
		c, err := Parse("x.txt", "run 5s 1/s p50=8ms\n"+line)
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.Run()
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Samples[2].Service; got != want {
			t.Errorf("%s: %d ns, want %d", line, got, want)
		}
	}
}
