package analyze

// pressureMetrics are where the time is recorded in which some task waited for a
// CPU (PSI, https://docs.kernel.org/accounting/psi.html): as totals in seconds, by
// the capture agent and in copies of /proc, else as the share of each interval.
var pressureMetrics = []string{"pressure.cpu_some_seconds", "pressure.cpu.some_seconds", pressureShare}

const pressureShare = "pressure.cpu.some"

// cpuPressure returns the share of the window in which some task waited for a
// CPU. ok is false where it was not recorded, or for too little of the window.
func (m *Measured) cpuPressure(w window) (share float64, ok bool) {
	for _, metric := range pressureMetrics {
		s := m.evidence.pressure[metric].within(w.Start, w.End)
		if len(s) < 2 || coverage(s, w) < m.protocol.LoadCoverage {
			continue
		}
		if metric == pressureShare {
			sum := 0.0
			for _, p := range s {
				sum += p.v
			}
			return sum / float64(len(s)), true
		}
		first, last := s[0], s[len(s)-1]
		if last.v >= first.v { // else the host was started again
			// On a starved host a total can be read some time after its stamp.
			return min(1, (last.v-first.v)/(float64(last.t-first.t)/1e9)), true
		}
	}
	return 0, false
}
