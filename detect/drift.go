package detect

import "fmt"

var drift = &Detector{
	Name:    "drift",
	Version: 2,
	Doc: `Drift: the tail at the run's end is not that at its beginning.

The p99 of the last third of the window over that of the first, by start of request,
of requests that ended well.
Over "limit" the tail grew; under one part in "limit" it shrank (the run had not
settled). Two companions say which of several things that is: the same ratio without
the requests of freezes and of the second around each, and the ratio of the medians of
ten-second p99s with its bootstrap (blocks of 40 s, the lower bound at 95 %).

Drift: the ratio without freezes is over the limit as well and the bound is over 1.
Stalls: only the plain ratio is, so that freezes late in the run fake a drift.
Hidden: the plain ratio is within the limit and that of the medians is not, as when a
slow beginning hides it. The gate "drift" goes by the same comparison and says the same
words.

Cannot see: a drift and its opposite within one run; what comes back after each lull;
runs with fewer than "least" requests in a third. A bound alone fails nothing: under
the correlation of neighbouring seconds it is over 1 in a tenth of runs without drift.`,
	Params: []Param{
		{"limit", 1.25, "1", "the ratio that counts as drift, exclusive"},
		{"least", 300, "1", "fewest requests in a third"},
	},
	Needs: []string{"samples"},
	Run: func(p *Pass) error {
		if p.Param("limit") < 1 {
			return fmt.Errorf("parameter limit: want 1 or more")
		}
		if len(p.Requests) == 0 {
			p.CouldNotLook(p.Scope(""), "no raw samples")
		}
		for _, r := range p.Requests {
			lookForDrift(p, r)
		}
		return nil
	},
}

// driftSeverity is how serious each word is: a tail that grew, by more than its
// freezes and by more than chance as far as that can be told.
var driftSeverity = map[DriftWord]Severity{
	DriftShown: Warning, DriftLoosely: Warning, DriftHidden: Warning, DriftUnsure: Info, DriftStalls: Info, DriftUnsettled: Info,
}

func lookForDrift(p *Pass, r *Requests) {
	scope := p.Scope(r.Scenario)
	d, err := CompareThirds(r, p.Window)
	if err != nil || min(d.Thirds.N[0], d.Thirds.N[2]) < int(p.Param("least")) {
		p.CouldNotLook(scope, "a third of the window holds fewer than %.0f requests", p.Param("least"))
		return
	}
	ratio, ok := d.Thirds.Ratio()
	if !ok {
		p.CouldNotLook(scope, "the p99 of the first third is 0: nothing to compare with")
		return
	}
	p.Looked(scope)
	word := d.Word(p.Param("limit"))
	if word == "" {
		return
	}
	q := d.Thirds.Quantile
	measures := map[string]float64{"ratio": ratio, "p99_first": seconds(q[0]), "p99_last": seconds(q[2])}
	figures := fmt.Sprintf("p99 %s in the first third, %s in the last (%.2f times)", short(q[0]), short(q[2]), ratio)
	if d.Free != nil {
		measures["ratio_without_freezes"] = *d.Free
		figures += fmt.Sprintf(", %.2f times without freezes", *d.Free)
	}
	if d.Medians != nil && d.Bounds != nil {
		measures["ratio_of_medians"], measures["bound_of_medians"] = *d.Medians, d.Bounds[0]
		figures += fmt.Sprintf("; medians %.2f times, at least %.2f", *d.Medians, d.Bounds[0])
	}
	p.Report(scope, driftSeverity[word], p.Window, measures, "%s: %s", figures, word)
}
