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
		var caused, plain blame
		for cause := -1; cause < len(causes); cause++ {
			b, err := s.blamed(cause, set.from)
			if err != nil {
				return err
			}
			if cause < 0 {
				plain = b
				continue
			}
			caused.right, caused.of, caused.wrong = caused.right+b.right, caused.of+b.of, caused.wrong+b.wrong
			s.share("attribution", "right cause, "+set.name, causes[cause].name, b.right, b.of, -1)
		}
		s.share("attribution", "right cause, "+set.name, "where there is one", caused.right, caused.of, 0.9)
		s.share("attribution", "unexplained, "+set.name, "where there is none", plain.right, plain.of, 0.95)
		s.value("attribution", "attributed wrongly or bare, "+set.name, "all (bare: without its mechanism)", float64(caused.wrong+plain.wrong), "1", caused.of+plain.of, 0)
	}
	return nil
}

// blame counts freezes, those put down to the right cause or rightly to none, and
// those attributed to a wrong one or without a signature.
type blame struct{ right, of, wrong int }

// blamed looks at the runs of one cause, or of none, from a seed on.
func (s *scorer) blamed(cause, from int) (out blame, err error) {
	n := s.causeRuns
	if cause < 0 {
		n *= 2
	}
	for seed := range n {
		p, err := withCause(cause, from+seed)
		if err != nil {
			return out, err
		}
		r, err := s.run(p)
		if err != nil {
			return out, err
		}
		for _, f := range r.Findings {
			a := f.Attribution
			if f.Detector != "freeze" || a == nil {
				continue
			}
			out.of++
			right := p.cause == "" && a.Status == detect.Unexplained || p.cause != "" && a.Cause == p.cause
			if right {
				out.right++
			}
			if a.Status == detect.Attributed && (!right || !strings.Contains(strings.Join(a.Evidence, " "), "signature in")) {
				out.wrong++
			}
		}
	}
	return out, nil
}
