package ingest

import (
	"strings"
	"testing"

	"headroom/runs"
)

// TestModelThatIsSupposed: where a file does not say what paced the load, the run
// says whose loads are of that kind; a model that was given is declared.
func TestModelThatIsSupposed(t *testing.T) {
	jtl := "timeStamp,elapsed,label,responseCode,threadName,success\n" + strings.Repeat("1790000000123,12,home,200,t 1-1,true\n", 3)
	lagged := strings.Repeat("0 1 5000 0 1790000000 5000 300\n", 3) // of --rate: its column of lag says so
	for _, c := range []struct {
		text  string
		given runs.LoadModel
		model runs.LoadModel
		as    string
	}{
		{jtl, "", runs.ClosedLoop, "JMeter's thread groups"},
		{jtl, runs.OpenLoop, runs.OpenLoop, ""},
		{jtl, runs.ClosedLoop, runs.ClosedLoop, ""},
		{lagged, "", runs.OpenLoop, ""},
	} {
		dir := write(t, map[string]string{"load": c.text})
		_, dst := must(t, Request{Files: paths(dir, "load"), Model: c.given})
		if l := dst.m.Load; l.Model != c.model || l.ModelAs != c.as {
			t.Errorf("%.20q given %q: %s as %q, want %s as %q", c.text, c.given, l.Model, l.ModelAs, c.model, c.as)
		}
	}
}
