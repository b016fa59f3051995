package analyze

import (
	"slices"
	"strings"
)

// armsAnswer begins the answer with the arms side by side: what was measured is a
// comparison, and the figure of one of them alone would be read as its result. It
// says nothing where an arm has no throughput; the statements of each arm name it.
func (d *document) armsAnswer(control *arm, treatments []*arm) {
	by := func(id string) *armMeasure {
		return &armMeasures[slices.IndexFunc(armMeasures, func(x armMeasure) bool { return x.id == id })]
	}
	rate, p99 := by("throughput"), by("latency.p99")
	var names, rates, slowest, shown []string
	base, _ := control.values(rate.of)
	for _, a := range append([]*arm{control}, treatments...) {
		q := a.armQuantity(rate)
		if q.Value == nil {
			return
		}
		names, rates = append(names, a.name), append(rates, d.rate(*q.Value))
		slowest = append(slowest, "not known")
		if q := a.armQuantity(p99); q.Value != nil {
			slowest[len(slowest)-1] = q.Display
		}
		if a != control {
			vs, _ := a.values(rate.of)
			shown = append(shown, a.name+" "+compareArms(rate, base, vs).words(rate.margin))
		}
	}
	d.say("arms", Conjoined(rates), "%s, in this order; p99 %s; throughput against %s: %s", Conjoined(names), Conjoined(slowest), control.name, strings.Join(shown, "; "))
	last := len(d.Answer) - 1
	d.Answer = slices.Insert(d.Answer[:last:last], 0, d.Answer[last])
}

// Conjoined lists words as one says them: "a, b and c"; nothing for none.
func Conjoined(words []string) string {
	n := len(words) - 1
	if n < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n], ", ") + " and " + words[n]
}
