package conformance

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"headroom/detect"
	"headroom/stat"
)

// caseChangePoint looks at each series of the case with the rule of the detector
// change-point: a spike is an outlier, a step is one change, noise is none, and
// three values are too few.
func caseChangePoint(t *testing.T, dir string) {
	text, err := os.ReadFile(filepath.Join(dir, "input.json"))
	noError(t, "input", err)
	var series map[string][]float64
	noError(t, "input", json.Unmarshal(text, &series))
	least := int(detectorDefault(t, "change-point", "least"))
	look := func(name string) (changes, outliers []int, err error) {
		levels, err := detect.Levels(slices.Clone(series[name]), stat.PublishedChange, least)
		for _, c := range levels.Changes {
			changes = append(changes, c.At)
		}
		return changes, levels.Outliers, err
	}
	for _, c := range []struct {
		name              string
		changes, outliers []int
	}{{"spike", nil, []int{11}}, {"step", []int{12}, nil}, {"flat", nil, nil}} {
		for range 2 { // the same answer every time
			changes, outliers, err := look(c.name)
			noError(t, c.name, err)
			if !slices.Equal(changes, c.changes) || len(outliers) > 0 && !slices.Equal(outliers, c.outliers) {
				t.Errorf("%s: changes at %v, outliers %v; want %v, and %v or none", c.name, changes, outliers, c.changes, c.outliers)
			}
		}
	}
	if _, _, err := look("short"); err == nil {
		t.Error("short: three values were judged")
	}
}

func detectorDefault(t *testing.T, name, param string) float64 {
	t.Helper()
	for _, p := range detect.Named(name).Params {
		if p.Name == param {
			return p.Default
		}
	}
	t.Fatalf("%s has no parameter %s", name, param)
	return 0
}
