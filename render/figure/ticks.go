package figure

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
)

// linearTicks returns ticks at multiples of 1, 2 or 5 times a power of ten, at
// most n of them within [low, high], and their distance.
func linearTicks(low, high float64, n int) (values []float64, step float64) {
	step = niceStep((high - low) / float64(max(n, 1)))
	for i := math.Ceil(low/step - 1e-9); i*step <= high+step*1e-9 && len(values) <= n+2; i++ {
		values = append(values, i*step)
	}
	return values, step
}

// niceStep is the smallest of 1, 2, 5 times a power of ten that is not below v.
func niceStep(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= v*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// logTicks returns the values to label on a logarithmic axis: the powers of ten,
// thinned to n, and between them 2 and 5 or 3 times those while there is room.
func logTicks(low, high float64, n int) []float64 {
	first, last := math.Floor(math.Log10(low)+1e-9), math.Ceil(math.Log10(high)-1e-9)
	var out []float64
	for _, multiples := range [][]float64{{1, 2, 5}, {1, 3}, {1}} {
		out = out[:0]
		every := math.Max(1, math.Ceil((last-first)/float64(max(n, 1))))
		for e := first; e <= last; e += every {
			for _, m := range multiples {
				if v := m * math.Pow(10, e); v >= low*(1-1e-9) && v <= high*(1+1e-9) {
					out = append(out, v)
				}
			}
		}
		if len(out) <= n+1 {
			break
		}
	}
	return out
}

// timeSteps are the distances of ticks on an axis of elapsed time, in seconds.
// Below a second the steps are those of linearTicks.
var timeSteps = []float64{1, 2, 5, 10, 15, 30, 60, 2 * 60, 5 * 60, 10 * 60, 15 * 60, 30 * 60,
	3600, 2 * 3600, 3 * 3600, 6 * 3600, 12 * 3600, 86400}

// timeTicks returns ticks at round distances from the start, at most n.
func timeTicks(low, high float64, n int) []plot.Tick {
	if high-low < float64(n)/2 {
		values, step := linearTicks(low, high, n)
		var out []plot.Tick
		for _, v := range values {
			out = append(out, plot.Tick{Value: v, Label: unit{"", 1}.format(v, step) + " s"})
		}
		return out
	}
	step := timeSteps[0]
	for _, s := range timeSteps[1:] {
		if (high-low)/step <= float64(n) {
			break
		}
		step = s
	}
	if days := (high - low) / step / float64(n); days > 1 {
		step *= niceStep(days)
	}
	var out []plot.Tick
	for i := math.Ceil(low/step - 1e-9); i*step <= high+step*1e-9; i++ {
		out = append(out, plot.Tick{Value: i * step, Label: elapsed(i*step, math.Max(math.Abs(low), math.Abs(high)))})
	}
	return out
}

// elapsed writes seconds as m:ss, from an hour of span on as h:mm:ss, from two
// days on as days.
func elapsed(v, span float64) string {
	sign := ""
	if v < 0 {
		sign, v = "−", -v
	}
	s := int64(math.Round(v))
	switch {
	case span < 3600:
		return fmt.Sprintf("%s%d:%02d", sign, s/60, s%60)
	case span < 2*86400 && s%60 == 0:
		return fmt.Sprintf("%s%d:%02d h", sign, s/3600, s/60%60)
	case span < 2*86400:
		return fmt.Sprintf("%s%d:%02d:%02d", sign, s/3600, s/60%60, s%60)
	case s%86400 == 0:
		return fmt.Sprintf("%s%d d", sign, s/86400)
	}
	return fmt.Sprintf("%s%d d %02d:%02d", sign, s/86400, s/3600%24, s/60%60)
}

// moment writes an instant of an axis of elapsed time to a tenth of a second.
func moment(v float64) string {
	tenths := math.Round(math.Abs(v) * 10)
	s := elapsed(math.Copysign(math.Floor(tenths/10), v), 0)
	return fmt.Sprintf("%s.%d", s, int64(tenths)%10)
}

// percentileTicks are the quantiles that the percentile axis names.
var percentileTicks = []float64{0, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999, 0.999999}

// percent writes a quantile without losing its nines: 99.9 %.
func percent(q float64) string {
	s := strings.TrimRight(fmt.Sprintf("%.4f", q*100), "0")
	return strings.TrimSuffix(s, ".") + " %"
}
