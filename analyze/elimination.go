package analyze

import (
	"fmt"
	"slices"
	"strings"

	"headroom/detect"
)

// suspicion is one thing that may be to blame, and what was found of it.
type suspicion struct {
	what, test, result, verdict string
	of                          []string // ids of the runs that were compared; none: all
}

// The verdicts of an elimination. None is a proof of innocence beyond what was
// recorded.
const (
	eliminated   = "ruled out"      // recorded finely enough, and not there
	suspected    = "not ruled out"  // it was there, and more cannot be said
	blamed       = "held to blame"  // evidence and mechanism, or an arm, agree
	notLooked    = "could not look" // not recorded, or too coarsely
	unreplicated = "did not replicate"
)

// eliminate lists every candidate with its test, its result and a verdict.
func (d *document) eliminate() {
	if list := d.suspicions(); len(list) > 0 {
		d.Tables = append(d.Tables, eliminationTable("elimination", "What was suspected, and what became of it", list))
	}
}

// suspicions are the causes that freezes were compared with, the resources that were
// recorded, and what sweeps and treatments showed.
func (d *document) suspicions() []suspicion {
	var list []suspicion
	if d.frozenRuns() > 0 {
		for _, c := range detect.Causes {
			list = append(list, d.causeCandidate(c))
		}
	}
	list = append(list, d.resourceCandidates()...)
	list = append(list, d.swept...)
	return append(list, d.treated...)
}

func eliminationTable(id, title string, list []suspicion) Table {
	t := Table{ID: id, Title: title, Columns: []Column{left("candidate"), left("test"), left("result"), left("verdict")}}
	for _, c := range list {
		t.Rows = append(t.Rows, Row{Cells: []Cell{text(c.what), text(c.test), text(c.result), text(c.verdict)}})
	}
	t.Notes = append(t.Notes, "Ruled out means: recorded finely enough, and not there. What was not recorded is not ruled out.")
	return t
}

// frozenRuns counts the runs with a freeze of which a cause was looked for.
func (d *document) frozenRuns() int {
	n := 0
	for _, m := range d.reliedRuns() {
		if m.askedFor() {
			n++
		}
	}
	return n
}

// pooled is what all runs say of one cause together.
type pooled struct {
	hits, episodes, controls, controlHits, signatures int
	fine, coarse                                      bool
}

// likelihood is how many times as often the evidence comes with a freeze as
// without.
func (p pooled) likelihood() float64 {
	if p.hits == 0 {
		return 0
	}
	return float64(p.hits) / float64(p.episodes) / (float64(p.controlHits+1) / float64(p.controls+1))
}

func (d *document) pool(cause string) pooled {
	var p pooled
	for _, m := range d.reliedRuns() {
		for _, x := range m.comparisons {
			if x.Cause != cause || !m.askedFor() {
				continue
			}
			p.hits, p.episodes, p.signatures = p.hits+x.Score.Hits, p.episodes+x.Score.Episodes, p.signatures+x.Signatures
			p.controls, p.controlHits = p.controls+x.Score.Controls, p.controlHits+x.Score.ControlHits
			p.fine, p.coarse = p.fine || !x.Coarse, p.coarse || x.Coarse
		}
	}
	return p
}

// goesWith is the likelihood ratio from which on evidence goes with freezes.
const goesWith = 3

// causeCandidate brings together what the runs say of one cause.
func (d *document) causeCandidate(c *detect.Cause) suspicion {
	out := suspicion{what: c.Title, test: "evidence beside the freezes, and in moments without"}
	p := d.pool(c.Name)
	if p.episodes == 0 {
		out.result, out.verdict = "not recorded", notLooked
		return out
	}
	without := fmt.Sprintf("%s moments without", NofM{p.controlHits, p.controls})
	if p.controls == 0 {
		without = "no moment without to compare with"
	}
	out.result = fmt.Sprintf("%d of %s with it, %s", p.hits, countText(p.episodes, "freeze"), without)
	if p.signatures > 0 {
		out.result += fmt.Sprintf("; its mechanism seen in %d", p.signatures)
	}
	if !p.fine {
		out.result += "; recorded too coarsely"
	}
	status := d.strongest(c.Name)
	through := d.actsThrough(c.Name)
	switch {
	case status == detect.Attributed:
		out.verdict = blamed
	case status == detect.DidNotReplicate:
		out.verdict = unreplicated
	case status != "":
		out.verdict = suspected + " (" + strings.ReplaceAll(status, "_", " ") + ")"
	case !p.fine:
		out.verdict = notLooked
	case p.likelihood() >= goesWith && through != "":
		out.verdict = "a symptom: " + through + " acts through it"
	case p.likelihood() >= goesWith:
		out.verdict = suspected + ": it goes with the freezes, another cause better"
	case p.hits > 0 && p.controls == 0:
		out.verdict = suspected + ": no moment without a freeze to compare with"
	case p.controls == 0: // the freezes fill the run: nobody saw what it is like without one
		out.verdict = notLooked
	case p.coarse:
		out.verdict = eliminated + " where it was recorded finely"
	default:
		out.verdict = eliminated
	}
	return out
}

// actsThrough names a cause that freezes are put down to and that acts through
// this one, "" if none does.
func (d *document) actsThrough(cause string) string {
	for _, c := range detect.Causes {
		if slices.Contains(c.Through, cause) && d.strongest(c.Name) != "" {
			return c.Title
		}
	}
	return ""
}

// strongest is the strongest status that a freeze put down to the cause has; ""
// without one.
func (d *document) strongest(cause string) string {
	order := []string{detect.Attributed, detect.MostLikely, detect.Candidate, detect.DidNotReplicate}
	best := len(order)
	for _, m := range d.reliedRuns() {
		for _, f := range m.Result.Findings {
			if a := f.Attribution; f.Detector == "freeze" && a != nil && a.Cause == cause {
				if i := slices.Index(order, a.Status); i >= 0 {
					best = min(best, i)
				}
			}
		}
	}
	if best == len(order) {
		return ""
	}
	return order[best]
}

// resourceCandidates judge every recorded resource where it was busiest.
func (d *document) resourceCandidates() []suspicion {
	var out []suspicion
	for _, b := range d.ranked() {
		if b.kind == "wait" && b.share < 0.05 {
			continue
		}
		c := suspicion{what: b.what, result: Percent(b.share), verdict: suspected}
		switch b.kind {
		case "resource":
			c.test = "how busy it was, on average over the window"
			switch {
			case b.thin:
				c.verdict = notLooked + ": recorded over " + Percent(b.seen) + " of the window only"
			case b.share < idleBelow:
				c.verdict = eliminated + ", on average"
			case b.share >= saturatedAt:
				c.verdict = blamed + ": at its limit"
			}
		case "wait":
			c.test = "sightings of working sessions"
			if b.share < 0.3 {
				c.verdict = suspected + ", few wait for it"
			}
		default:
			c.test = "throughput over that of the component by itself (" + b.note + ")"
			switch {
			case b.share < idleBelow:
				c.verdict = eliminated + ": it gives more by itself"
			case b.beyond() > 0:
				c.verdict = notLooked + ": over 100 % of it was measured by another protocol, or while it was held back"
			}
		}
		out = append(out, c)
	}
	return out
}
