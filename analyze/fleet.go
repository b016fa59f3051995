package analyze

import "math"

// Endpoints returns how many endpoints a throughput carries, each of which
// sends perHour events an hour.
func Endpoints(eventsPerSecond, perHour float64) float64 { return eventsPerSecond * 3600 / perHour }

// RequiredRate returns the events/s that so many endpoints send.
func RequiredRate(endpoints, perHour float64) float64 { return endpoints * perHour / 3600 }

// WholeEndpoints rounds down: part of an endpoint was not measured. A value
// within 1e-9 of a whole number is that number, which the divisions missed: the same
// noise that a re-scan does not call a change.
func WholeEndpoints(v float64) float64 { return math.Floor(v * (1 + 1e-9)) }

// RoundedEndpoints is a fleet as it is quoted: three significant figures from
// 10,000 up, in the given direction; whole endpoints rounded down below. Pages
// round down: what is carried is never said to be more than it is.
func RoundedEndpoints(v float64, r Rounding) float64 {
	whole := WholeEndpoints(v)
	if v < 10000 || math.IsInf(v, 0) {
		return whole
	}
	unit := math.Pow(10, math.Floor(math.Log10(v))-2)
	switch r {
	case Down:
		return whole - math.Mod(whole, unit) // exact, as a quotient is not
	case Up:
		return math.Ceil(v/unit) * unit
	}
	return math.Round(v/unit) * unit
}

// quotedEndpoints is a fleet as a page quotes it beside its targets: rounded down,
// or whole where a target lies between the two, so that what is printed is on the
// side of every target that the fleet itself is on.
func quotedEndpoints(v float64, targets []float64) float64 {
	quoted := RoundedEndpoints(v, Down)
	for _, n := range targets {
		if quoted < n && n <= v {
			return WholeEndpoints(v)
		}
	}
	return quoted
}

// Clears reports whether a sustained throughput reaches the required rate.
func Clears(sustained, required float64) bool { return sustained >= required }

// InFlightBytes returns the memory that so many concurrent batches hold: each
// of batch events of bytes each. A factor without a ceiling leaves the product
// without one.
func InFlightBytes(concurrent, batch, bytesPerEvent float64) float64 {
	return concurrent * batch * bytesPerEvent
}
