package runs

import "headroom/runs/internal/table"

// The two tables that have many rows say in one function what their fields say,
// in the same order: a call a row instead of one a column.

func putSample(s *Sample, row table.Row) {
	row.Int(0, s.Start)
	row.Int(1, s.StartNS)
	row.Int(2, s.Wait)
	row.Int(3, s.Service)
	row.Text(4, s.Scenario)
	row.Text(5, s.Op)
	row.Text(6, s.Status)
	row.Text(7, string(s.Outcome))
	row.Text(8, s.Target)
	row.Int(9, s.Events)
	row.Text(10, s.Error)
	row.Text(11, s.Worker)
	row.Text(12, s.ID)
	row.Text(13, s.Tags)
	row.Int(14, s.Connecting)
	row.Int(15, s.TLS)
	row.Int(16, s.Sending)
	row.Int(17, s.Waiting)
	row.Int(18, s.Receiving)
}

func putPoint(p *Point, row table.Row) {
	row.Int(0, p.Time)
	row.Int(1, p.TimeNS)
	row.Text(2, p.Source)
	row.Text(3, p.Entity)
	row.Text(4, p.Metric)
	row.Text(5, string(p.Kind))
	row.Real(6, p.Value)
	row.Text(7, p.Unit)
	row.Int(8, p.Resolution)
	row.Text(9, p.Tags)
}

func fitSample(s *Sample) bool {
	return fitInstant(s.Start) && s.Events != Missing && len(s.Tags) <= table.MaxText
}

func fitPoint(p *Point) bool {
	return fitInstant(p.Time) && p.TimeNS != Missing && p.Resolution != Missing && len(p.Tags) <= table.MaxText &&
		p.Value-p.Value == 0 // neither NaN nor infinite
}

func fitInstant(us int64) bool { return us >= -table.MaxInstant && us <= table.MaxInstant }
