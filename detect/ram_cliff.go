package detect

import (
	"slices"

	"headroom/stat"
)

var ramCliff = &Detector{
	Name:    "ram-cliff",
	Version: 1,
	Doc: `RAM cliff: reads from disk climb while the data outgrow memory.

A working set that fits is read from memory. Past that, every request reads: the rate
of read operations in the last third of the window is over "factor" times that of the
first and over "least", and rises in a trend (Mann-Kendall with Hamed and Rao's
correction, one per cent). Where the size of the data was recorded it must have grown;
where it was not, the finding says so and is only a hint.
Cannot see: a host that was beyond its memory from the start; reads that were asked for
by a backup or a scan (read the statements of that time); disks that nobody watched.`,
	Params: []Param{
		{"factor", 3, "1", "last third over first third, exclusive"},
		{"least", 100, "1/s", "reads a second in the last third, exclusive"},
	},
	Needs:   []string{"points"},
	Metrics: append(slices.Clone(readRates), dataSizes...),
	Run:     lookForRAMCliff,
}

// readRates are operations that read, of a device; the first that was recorded
// counts. dataSizes are how large the data are.
var (
	readRates = []string{"rds.physical_disk.reads", "rds.disk.reads", "disk.reads", "disk.read_count", "io.reads", "cloudwatch.ReadIOPS"}
	dataSizes = []string{"postgres.server.database_size", "postgres.relation.bytes", "postgres.table.main_bytes", "postgres.index.bytes"}
)

func lookForRAMCliff(p *Pass) error {
	scope := p.Scope("")
	grew, sized := p.grew(dataSizes)
	for _, metric := range readRates {
		list := p.Evidence.Of(metric)
		if len(list) == 0 {
			continue
		}
		looked := false
		for i := range list {
			rates := valuesWithin(&list[i], p.Window)
			trend, err := stat.FindTrend(thinned(rates))
			if err != nil || len(rates) < 9 {
				continue
			}
			looked = true
			third := len(rates) / 3
			first, last := middle(sorted(rates[:third])), middle(sorted(rates[len(rates)-third:]))
			if last <= p.Param("factor")*first || last <= p.Param("least") || trend.Line.Slope <= 0 || trend.PCorrected > 0.01 || sized && !grew {
				continue
			}
			measures := map[string]float64{"first": first, "last": last}
			if !sized {
				p.Report(scope, Info, p.Window, measures, "reads climbed from %.0f/s to %.0f/s (%s); the size of the data was not recorded", first, last, label(&list[i]))
				continue
			}
			p.Report(scope, Warning, p.Window, measures, "reads climbed from %.0f/s to %.0f/s (%s) while the data grew", first, last, label(&list[i]))
		}
		if !looked {
			p.CouldNotLook(scope, "%s has fewer than nine points within the window, or more than can be tested", metric)
			return nil
		}
		p.Looked(scope)
		return nil
	}
	p.CouldNotLook(scope, "the rate of reads from disk was not recorded")
	return nil
}

// grew reports whether the first of the metrics that was recorded ends higher
// than it began, over all its entities together.
func (p *Pass) grew(metrics []string) (grew, recorded bool) {
	for _, metric := range metrics {
		first, last := 0.0, 0.0
		for _, s := range p.Evidence.Of(metric) {
			if vs := s.Values; len(vs) > 1 {
				first, last, recorded = first+vs[0], last+vs[len(vs)-1], true
			}
		}
		if recorded {
			return last > first, true
		}
	}
	return false, false
}

// valuesWithin are the levels of a series within a window.
func valuesWithin(s *Series, window Span) []float64 {
	var out []float64
	at, values := s.Levels()
	for i, t := range at {
		if window.Contains(t) {
			out = append(out, values[i])
		}
	}
	return out
}

// thinned takes the mean of as many neighbours as leave at most 200 values: the
// trend is tested over all pairs.
func thinned(values []float64) []float64 {
	const most = 200
	width := (len(values) + most - 1) / most
	if width < 2 {
		return values
	}
	var out []float64
	for i := 0; i+width <= len(values); i += width {
		sum := 0.0
		for _, v := range values[i : i+width] {
			sum += v
		}
		out = append(out, sum/float64(width))
	}
	return out
}

func sorted(values []float64) []float64 { return slices.Sorted(slices.Values(values)) }
