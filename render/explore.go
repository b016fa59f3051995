package render

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"

	"headroom/analyze"
	"headroom/render/figure"
	"headroom/render/label"
)

// maxExplorable bounds the figures that a page holds as numbers as well, in bytes.
const maxExplorable = 500_000

// explorable returns the function that gives the page the points of its figures,
// in their order, for scripts that zoom.
func explorable(c *analyze.Capacity) func(id string) []byte {
	byID := map[string]analyze.Figure{}
	for _, f := range c.Figures {
		byID[f.ID] = f
	}
	used := 0
	return func(id string) []byte {
		data := figure.Data(byID[id])
		if used+len(data) > maxExplorable {
			return nil
		}
		used += len(data)
		return data
	}
}

// carried is a figure from which the page computes fleets.
type carried struct {
	Name    string  `json:"name"`
	Display string  `json:"display"`
	Value   float64 `json:"value"` // events/s
	Bound   string  `json:"bound"`
}

// calculator is what the fleet calculator of a page computes from: the throughput
// behind each fleet that the document quotes, with its bound. nil if it quotes none.
func calculator(c *analyze.Capacity) []byte {
	var list []carried
	seen := map[string]bool{}
	for _, q := range c.Quantities {
		per := perEndpoint(&q)
		if !(per > 0) || q.Value == nil || seen[q.Scope.Configuration] {
			continue
		}
		seen[q.Scope.Configuration] = true
		name := q.Scope.Configuration
		if name == "" {
			name = "what is sustained"
		}
		list = append(list, carried{label.Clean(name, label.Cell), label.Clean(fmt.Sprintf("%s at %g events an hour", q.Display, per), label.Cell), *q.Value * per / 3600, label.Clean(string(q.Bound), label.Cell)})
	}
	if len(list) == 0 {
		return nil
	}
	b, err := json.Marshal(list)
	if err != nil {
		return nil // a value that JSON cannot hold is in no quantity
	}
	return b
}

var fleetID = regexp.MustCompile(`^fleet\.(?:[^.]*[^.\d][^.]*\.)?(\d+(?:\.\d+)?)\.endpoints$`)

// perEndpoint is how many events an hour each endpoint of a fleet sends, 0 if the
// quantity is no fleet.
func perEndpoint(q *analyze.Quantity) float64 {
	m := fleetID.FindStringSubmatch(q.ID)
	if m == nil {
		return 0
	}
	v, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return 0
	}
	return v
}
