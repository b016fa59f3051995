package analyze

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"headroom/detect"
	"headroom/runs"
)

// info identifies the run.
func (m *Measured) info() RunInfo {
	l, digest, start, end := m.manifest.Load, "", "", ""
	if at := m.window.text(); at != nil && (m.window.declared || !m.benchOnly()) { // benchmarks carry no time
		start, end = at[0], at[1]
	}
	if m.run != nil {
		digest = m.run.Digest()
	}
	return RunInfo{
		ID: m.manifest.ID, Digest: digest, Labels: m.labels(nil),
		Start: start, End: end, Declared: m.window.declared,
		State: string(m.manifest.State), Withdrawn: m.notes.withdrawn,
		Load: LoadInfo{
			Tool: strings.TrimSpace(l.Tool + " " + l.Version), Model: string(m.model.Model), ModelFrom: m.model.From,
			Rate: l.Rate, Concurrency: l.Concurrency, Basis: m.basis(), Command: l.Command,
		},
		Host: hostText(m.manifest.Host, m.evidence.cpus), System: systemText(m.manifest.System),
	}
}

func hostText(h runs.Host, cpus float64) string {
	if h.Cores == 0 {
		h.Cores = int(cpus)
	}
	var parts []string
	for _, p := range []string{h.Name, h.Model} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	if h.Cores > 0 {
		parts = append(parts, countText(h.Cores, "core"))
	}
	if h.Memory > 0 {
		parts = append(parts, Display(float64(h.Memory), "B"))
	}
	if os := strings.TrimSpace(h.OS + " " + h.Kernel); os != "" {
		parts = append(parts, os)
	}
	return strings.Join(parts, ", ")
}

func systemText(s runs.System) string {
	text := strings.TrimSpace(s.Name + " " + s.Version)
	if s.Commit != "" {
		text = strings.TrimSpace(text + " (" + s.Commit + ")")
	}
	return text
}

func (m *Measured) steps() []StepInfo {
	out := []StepInfo{}
	for _, s := range m.manifest.Steps {
		step := StepInfo{Name: stepName(s), Labels: s.Labels}
		if at := m.stepWindow(s).text(); at != nil {
			step.Start, step.End = at[0], at[1]
		}
		out = append(out, step)
	}
	return out
}

func sourcesOf(m *runs.Manifest) []SourceInfo {
	var out []SourceInfo
	for _, s := range m.Sources {
		out = append(out, SourceInfo{
			File: s.File, Format: s.Format, SHA256: s.SHA256, Rows: s.Rows, Bad: s.BadLines, Cut: s.Cut, Zone: s.Zone,
			Note: strings.Join(s.Notes, "; "),
		})
	}
	return out
}

func absences(m *runs.Manifest) []string {
	var out []string
	for _, a := range m.NotCollected {
		text := fmt.Sprintf("%s: %s", a.What, a.Why)
		if a.Note != "" {
			text += " (" + a.Note + ")"
		}
		out = append(out, text)
	}
	return out
}

// warn collects what a reader of any figure of this run must know.
func (m *Measured) warn() {
	add := func(format string, args ...any) {
		m.Result.Warnings = append(m.Result.Warnings, fmt.Sprintf(format, args...))
	}
	if why := m.withdrawnWhy(); why != "" {
		add("%s", why)
	}
	if why := m.notes.unread; why != "" {
		add("whether the run was withdrawn is not known: %s", why)
	}
	if m.manifest.State != runs.Sealed {
		add("the run is %s: it is not whole", m.manifest.State)
	}
	switch {
	case m.window.declared || m.benchOnly() || m.noLoad():
	case m.window.unknown():
		add("when the run was is not known: nothing that was recorded of it has a time")
	case !slices.ContainsFunc(m.scenarios, func(r *detect.Requests) bool { _, _, ok := due(r); return ok }):
		add("window not declared, and no request recorded: figures cover the time from the first reading to the last")
	default:
		add("window not declared: figures cover the time from the first start to the last end")
	}
	if why := contradicted(m.model, m.scenarios); why != "" {
		add("%s", why)
	}
	if m.window.cut > 0 {
		add("the first %s of the window are cut as warm-up", Display(m.window.cut.Seconds(), "s"))
	}
	for _, e := range m.edges {
		add("%s", e.text())
	}
	for i := range m.manifest.Sources {
		if why := m.elsewhen(&m.manifest.Sources[i]); why != "" {
			add("%s: %s", m.manifest.Sources[i].File, why)
		}
	}
	damaged, doubts := m.sourceDoubts(), m.doubts()
	for _, d := range damaged {
		add("%s", d.text)
	}
	for i := range m.units {
		u := &m.units[i]
		if n, _ := m.Result.value("invalid", u.scope); n > 0 && u.scope.Step == "" {
			add("%s: %s with a negative duration, left out of every percentile", u.scope.Scenario, countText(int(n), "sample"))
		}
		if why := m.overfull(u); why != "" {
			add("%s", why)
		}
	}
	if !m.benchOnly() && !m.noLoad() && !slices.ContainsFunc(m.units, func(u unit) bool { return u.any() }) {
		add("the run holds no samples")
	}
	for _, d := range doubts {
		add("%s", d.text)
	}
	m.cast(slices.Concat(damaged, doubts, m.apart()))
}

// elsewhen says that a source was recorded at another time than the load: nothing
// of it can be joined, and perhaps its clock or zone is another. "" if it was not.
func (m *Measured) elsewhen(s *runs.Source) string {
	first, err1 := time.Parse(time.RFC3339Nano, s.First)
	last, err2 := time.Parse(time.RFC3339Nano, s.Last)
	const near = int64(time.Minute) // counts, and what is logged at the end
	switch {
	case err1 != nil || err2 != nil || s.Role != "" || s.Samples > 0 || s.Rows == 0 || m.window.Len() <= 0:
		return ""
	case last.UnixNano() < m.window.Start-near:
		return fmt.Sprintf("nothing of it is of the measured time: it ends %s before", Display(float64(m.window.Start-last.UnixNano())/1e9, "s"))
	case first.UnixNano() > m.window.End+near:
		return fmt.Sprintf("nothing of it is of the measured time: it begins %s after", Display(float64(first.UnixNano()-m.window.End)/1e9, "s"))
	}
	return ""
}

// disagreements says which sources count other requests than the samples are.
func (m *Measured) disagreements() []string {
	var out []string
	for i, s := range m.manifest.Summaries {
		why := m.countedOtherwise(s)
		if parts, sum := m.partReports(s); why != "" && len(parts) > 1 { // said once of all
			if slices.IndexFunc(m.manifest.Summaries, func(x runs.Summary) bool { return x.Of == s.Of && x.Source == parts[0] }) != i {
				continue
			}
			why = fmt.Sprintf("%s count %s requests together, the samples are %s", listed(parts), Count(sum), Count(m.reported(s)))
		}
		if why != "" {
			out = append(out, why)
		}
	}
	return out
}

// countedOtherwise compares what a source counts with its samples; "" if it counts
// nothing or the same, or if it is one of several, as a tool that is started for each
// step writes them, that count the same together.
func (m *Measured) countedOtherwise(s runs.Summary) string {
	want, ok := countedBy(s)
	if !ok {
		return ""
	}
	got := m.reported(s)
	if got == want || m.noSamples() || s.Of != "" && got == 0 { // of a part that the samples do not name
		return ""
	}
	if parts, sum := m.partReports(s); len(parts) > 1 && sum == got {
		return ""
	}
	return fmt.Sprintf("%s counts %s requests, the samples are %s", s.Source, Count(want), Count(got))
}

// countedBy is how many requests a report counts.
func countedBy(s runs.Summary) (n int64, ok bool) {
	v, ok := s.Values["requests"]
	if all, has := s.Values["samples"]; ok && has { // failed ones are no requests to every tool
		v = all
	}
	return int64(v), ok
}

// reported is how many requests the run holds of what a report tells of.
func (m *Measured) reported(s runs.Summary) (n int64) {
	for _, r := range m.reportedOn(s) {
		n += int64(r.Len())
	}
	return n
}

// partReports returns the sources of the reports on the same requests as one, of which none
// is the whole, and how many requests they count together.
func (m *Measured) partReports(s runs.Summary) (sources []string, sum int64) {
	for _, x := range m.manifest.Summaries {
		n, ok := countedBy(x)
		if !ok || x.Of != s.Of {
			continue
		}
		if n == m.reported(s) || slices.Contains(sources, x.Source) {
			return nil, 0
		}
		sources, sum = append(sources, x.Source), sum+n
	}
	return sources, sum
}

// noSamples reports whether the run holds no sample: there is nothing that a
// report of its generator could disagree with.
func (m *Measured) noSamples() bool {
	return !slices.ContainsFunc(m.scenarios, func(r *detect.Requests) bool { return r.Len()+len(r.Dropped) > 0 })
}
