package analyze

import "math"

// Endpoints returns how many endpoints a throughput carries, each of which
// sends perHour events an hour.
func Endpoints(eventsPerSecond, perHour float64) float64 { return eventsPerSecond * 3600 / perHour }

// RequiredRate returns the events/s that so many endpoints send.
func RequiredRate(endpoints, perHour float64) float64 { return endpoints * perHour / 3600 }

// WholeEndpoints rounds down: part of an endpoint was not measured. A value
// within 1e-12 of a whole number is that number, which the division missed.
func WholeEndpoints(v float64) float64 { return math.Floor(v * (1 + 1e-12)) }

// RoundedEndpoints is a fleet as it is quoted: three significant figures from
// 10,000 up, whole endpoints rounded down below.
func RoundedEndpoints(v float64) float64 {
	if v < 10000 {
		return WholeEndpoints(v)
	}
	unit := math.Pow(10, math.Floor(math.Log10(v))-2)
	return math.Round(v/unit) * unit
}

// Clears reports whether a sustained throughput reaches the required rate.
func Clears(sustained, required float64) bool { return sustained >= required }

// InFlightBytes returns the memory that so many concurrent batches hold: each
// of batch events of bytes each. A factor without a ceiling leaves the product
// without one.
func InFlightBytes(concurrent, batch, bytesPerEvent float64) float64 {
	return concurrent * batch * bytesPerEvent
}
