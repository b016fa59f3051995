package stat

import (
	"fmt"
	"math"
)

// maxCorrected bounds the values that a correction may make up.
const maxCorrected = 1 << 22

// WithExpectedInterval returns the latencies of a closed loop together with
// those of the requests that it would have sent, had it kept the interval:
// besides each v also v-interval, v-2·interval, ... down to the interval
// (HdrHistogram's rule against coordinated omission, Tene). It is a model, not
// data: print its figures beside the raw ones, never alone, and never in a gate.
// It does not apply to open loops or to loops with think time.
func WithExpectedInterval(latencies []int64, interval int64) ([]int64, error) {
	if interval < 1 {
		return nil, fmt.Errorf("expected interval %d: want a positive one", interval)
	}
	made := int64(0)
	for i, v := range latencies {
		if v < 0 {
			return nil, fmt.Errorf("latency %d of %d is %d: want none negative", i+1, len(latencies), v)
		}
		if made += max(0, v/interval-1); made > maxCorrected {
			return nil, fmt.Errorf("latencies up to %d in intervals of %d make more than %d requests that were not sent: the interval is too short", v, interval, maxCorrected)
		}
	}
	out := make([]int64, 0, len(latencies)+int(made))
	for _, v := range latencies {
		out = append(out, v)
		for v -= interval; v >= interval; v -= interval {
			out = append(out, v)
		}
	}
	return out, nil
}

// QuantileWithDropped returns an upper bound of the nearest-rank p-quantile of
// sorted latencies and of dropped requests, each taken to be slower than any
// that was recorded. ok is false where the rank falls among the dropped: there
// is no finite bound.
func QuantileWithDropped[T Number](sorted []T, dropped int64, p P) (bound T, ok bool, err error) {
	if err := checkSorted(sorted); err != nil {
		return 0, false, err
	}
	if dropped < 0 || dropped > math.MaxInt32*int64(1024) {
		return 0, false, fmt.Errorf("%d dropped requests: want 0 or more, and fewer than 2^41", dropped)
	}
	k := Rank(p, len(sorted)+int(dropped))
	if k > len(sorted) {
		return 0, false, nil
	}
	return sorted[k-1], true, nil
}

// Schedule tells apart what a request took from when it was due.
type Schedule struct {
	Service  []int64 // end less actual start
	Response []int64 // end less planned start: what a user would have waited
	Lag      []int64 // actual less planned start
}

// AgainstSchedule returns the times of requests whose planned start was
// recorded. The slices have one length and unit.
func AgainstSchedule(planned, started, service []int64) (Schedule, error) {
	if len(planned) != len(started) || len(planned) != len(service) {
		return Schedule{}, fmt.Errorf("%d planned starts, %d starts and %d service times: want as many of each", len(planned), len(started), len(service))
	}
	var s Schedule
	for i := range planned {
		lag := started[i] - planned[i]
		s.Service = append(s.Service, service[i])
		s.Lag = append(s.Lag, lag)
		s.Response = append(s.Response, lag+service[i])
	}
	return s, nil
}

// ShareAbove returns the share of values over a limit; ok is false of none.
func ShareAbove[T Number](values []T, limit T) (share float64, ok bool) {
	if len(values) == 0 {
		return 0, false
	}
	n := 0
	for _, v := range values {
		if v > limit {
			n++
		}
	}
	return float64(n) / float64(len(values)), true
}
