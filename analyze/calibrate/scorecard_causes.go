package calibrate

import (
	"strings"

	"headroom/detect"
)

// causes counts who is put down to what: for the seeds that the limits were
// tried on, and for those that were held out.
func (s *scorer) causes() error {
	for _, set := range []struct {
		name string
		from int
	}{{"seeds tried", 0}, {"seeds held out", heldOut}} {
		plain, err := s.blamed(nil, 2*s.causeRuns, set.from)
		if err != nil {
			return err
		}
		var caused blame
		bold, coarse := 0, 0
		for i := range scripts {
			c := &scripts[i]
			b, err := s.blamed(c, s.causeRuns, set.from)
			if err != nil {
				return err
			}
			if c.coarse { // what cannot be seen need not be found, and nothing bold be said
				bold, coarse = bold+b.bold, coarse+b.of
				s.share("attribution", "right cause, "+set.name, c.name(), b.right, b.of, -1)
				continue
			}
			caused.add(b)
			s.share("attribution", "right cause, "+set.name, c.name(), b.right, b.of, 0.9)
			s.share("attribution", "and at least most likely, "+set.name, c.name(), b.firm, b.of, -1)
		}
		s.share("attribution", "right cause, "+set.name, "where there is one", caused.right, caused.of, 0.9)
		s.share("attribution", "unexplained, "+set.name, "where there is none", plain.right, plain.of, 0.95)
		caused.add(plain)
		s.value("attribution", "attributed wrongly or bare, "+set.name, "all (bare: without its mechanism)", float64(caused.wrong), "1", caused.of, 0)
		s.value("attribution", "more than a candidate, "+set.name, "what was recorded too coarsely", float64(bold), "1", coarse, 0)
	}
	return nil
}

// blame counts freezes.
type blame struct {
	of    int
	right int // put down to their cause, or rightly to none
	firm  int // to their cause, and at least as the most likely one
	wrong int // attributed to another cause, or without a signature
	bold  int // more than a candidate, whatever
}

func (b *blame) add(o blame) {
	b.of, b.right, b.firm, b.wrong = b.of+o.of, b.right+o.right, b.firm+o.firm, b.wrong+o.wrong
}

// judge counts one freeze whose cause is c's, nil for none.
func (b *blame) judge(c *script, a *detect.Attribution) {
	b.of++
	right := c == nil && a.Status == detect.Unexplained || c != nil && a.Cause == c.cause
	firm := a.Status == detect.Attributed || a.Status == detect.MostLikely
	if right {
		b.right++
	}
	if firm {
		b.bold++
	}
	if right && firm {
		b.firm++
	}
	if a.Status == detect.Attributed && (!right || !strings.Contains(strings.Join(a.Evidence, " "), "signature in")) {
		b.wrong++
	}
}

// blamed looks at so many runs of one cause, or of none, from a seed on.
func (s *scorer) blamed(c *script, n, from int) (out blame, err error) {
	for seed := range n {
		p, err := withCause(c, from+seed)
		if err != nil {
			return out, err
		}
		r, err := s.run(p)
		if err != nil {
			return out, err
		}
		for _, f := range r.Findings {
			if f.Detector == "freeze" && f.Attribution != nil {
				out.judge(c, f.Attribution)
			}
		}
	}
	return out, nil
}
