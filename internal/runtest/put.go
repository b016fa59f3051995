package runtest

import (
	"cmp"

	"headroom/runs"
)

// Put writes all rows of the run. The manifest stays the caller's to fill, and the
// writer to be committed.
func (r *Run) Put(w *runs.Writer) (err error) {
	for i := range r.Samples {
		err = cmp.Or(err, w.Sample(&r.Samples[i]))
	}
	for i := range r.Points {
		err = cmp.Or(err, w.Point(&r.Points[i]))
	}
	for i := range r.Activity {
		err = cmp.Or(err, w.Activity(&r.Activity[i]))
	}
	for i := range r.Markers {
		err = cmp.Or(err, w.Marker(&r.Markers[i]))
	}
	return err
}
