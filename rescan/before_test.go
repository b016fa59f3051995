package rescan

import (
	"testing"
	"time"

	"headroom/analyze"
	"headroom/detect"
)

func TestInWhatAScanDiffered(t *testing.T) {
	own := &detect.Detector{Name: "own", Version: 1, Definition: "one"}
	other := &detect.Detector{Name: "own", Version: 1, Definition: "another"}
	for _, c := range []struct {
		program   string
		was, is   analyze.Protocol
		then, now []*detect.Detector
		want      string
	}{
		{"p", analyze.Protocol{}, analyze.Protocol{Title: "other"}, nil, nil, ""},
		{"q", analyze.Protocol{}, analyze.Protocol{}, nil, nil, "another headroom"},
		{"p", analyze.Protocol{}, analyze.Protocol{}, []*detect.Detector{own}, nil, "also with own"},
		{"p", analyze.Protocol{}, analyze.Protocol{}, []*detect.Detector{own}, []*detect.Detector{other}, "own as it was"},
		{"p", analyze.Protocol{P99Limit: time.Second}, analyze.Protocol{P99Limit: time.Minute}, nil, nil, "other p99 limit"},
		{
			"p", analyze.Protocol{Params: map[string]float64{"a.x": 1, "a.y": 2, "a.z": 3}},
			analyze.Protocol{Params: map[string]float64{"a.w": 5, "a.y": 2, "a.z": 4}}, nil, nil,
			"a.w by default, now 5; a.x 1, now by default; a.z 3, now 4",
		},
		{"p", analyze.Protocol{Params: map[string]float64{"a.x": 1}}, analyze.Protocol{}, nil, nil, "a.x 1, now by default"},
	} {
		c.was.Detectors, c.is.Detectors = c.then, c.now
		was, err := circumstancesOf(c.program, c.was)
		must(t, err)
		is, err := circumstancesOf("p", c.is)
		must(t, err)
		if got := was.than(&is); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
