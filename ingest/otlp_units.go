package ingest

import (
	"maps"
	"slices"
	"strings"
)

// otlpUnits are the units of UCUM that OpenTelemetry's conventions use
// (https://opentelemetry.io/docs/specs/semconv/general/metrics/), with the unit
// of the point and the factor to it.
var otlpUnits = map[string]cwUnit{
	"": {"1", 1}, "1": {"1", 1}, "%": {"1", 0.01},
	"s": {"s", 1}, "ms": {"s", 1e-3}, "us": {"s", 1e-6}, "ns": {"s", 1e-9}, "min": {"s", 60}, "h": {"s", 3600},
	"By": {"B", 1}, "KiBy": {"B", 1 << 10}, "MiBy": {"B", 1 << 20}, "GiBy": {"B", 1 << 30},
	"kBy": {"B", 1e3}, "MBy": {"B", 1e6}, "GBy": {"B", 1e9}, "By/s": {"B/s", 1}, "Hz": {"1/s", 1}, "1/s": {"1/s", 1},
}

// unit returns the unit of a metric; what stands in braces only says what is
// counted.
func (r *otlpReader) unit(text string) (string, float64) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}") {
		text = "1"
	}
	if u, ok := otlpUnits[text]; ok {
		return u.unit, u.factor
	}
	if len(r.units) < keepBad {
		r.units[text] = true
	}
	return "1", 1
}

// notes says what the file tells as a whole.
func (r *otlpReader) notes() {
	in := r.in
	if r.empty > 0 {
		in.Note("%d data points have no recorded value: gaps, and not zero", r.empty)
	}
	if r.odd > 0 {
		in.Note("%d values are NaN or infinite, which is no value, and were left out", r.odd)
	}
	for _, name := range slices.Sorted(maps.Keys(r.restarts)) {
		in.Note("%s was reset %s: its start time moved, or it fell", clip(name), countOf(int(r.restarts[name]), "time"))
	}
	for _, name := range slices.Sorted(maps.Keys(r.rebased)) {
		in.Note("%s begins above 2^53 and is stored less its first value, so that its increments are exact", clip(name))
	}
	for _, unit := range slices.Sorted(maps.Keys(r.units)) {
		in.Note("the unit %q is not known: values are kept as they are", clip(unit))
	}
	for _, name := range slices.Sorted(maps.Keys(r.other)) {
		in.Note("%d lines hold %s and were left out", r.other[name], name)
	}
}
