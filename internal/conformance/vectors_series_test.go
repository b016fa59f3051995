package conformance

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"headroom/stat"
)

func trend(t *testing.T, v vector) {
	var in struct {
		Y    []float64
		Conf json.Number
	}
	var out struct {
		S         int
		Var, Z, P float64
		Slope     float64
		Intercept float64
		Lo        float64 `json:"slope_lo"`
		Hi        float64 `json:"slope_hi"`
		Factor    float64 `json:"hamed_rao_factor"`
		ZHR       float64 `json:"z_hr"`
		PHR       float64 `json:"p_hr"`
	}
	v.read(t, &in, &out)
	got, err := stat.FindTrend(in.Y)
	noError(t, "trend", err)
	x := make([]float64, len(in.Y))
	for i := range x {
		x[i] = float64(i)
	}
	line, err := stat.FitTheilSen(x, in.Y, parseP(t, in.Conf.String()))
	noError(t, "line", err)
	equal(t, "S", got.S, out.S)
	v.near(t, "variance", got.Var, out.Var)
	v.near(t, "z", got.Z, out.Z)
	v.within(t, "p", got.P, out.P, v.tol("p_abs"))
	v.near(t, "slope", got.Line.Slope, out.Slope)
	v.near(t, "slope", line.Slope, out.Slope)
	v.near(t, "intercept", line.Intercept, out.Intercept)
	v.near(t, "slope low", line.SlopeBounds.Lo, out.Lo)
	v.near(t, "slope high", line.SlopeBounds.Hi, out.Hi)
	v.near(t, "Hamed-Rao factor", got.Factor, out.Factor)
	v.near(t, "corrected z", got.ZCorrected, out.ZHR)
	v.within(t, "corrected p", got.PCorrected, out.PHR, v.tol("p_abs"))
}

func mser5(t *testing.T, v vector) {
	var in struct {
		Values []float64
		Batch  int
	}
	var out struct {
		Batches   int
		Truncate  int `json:"truncate_batches"`
		Values    int `json:"truncate_observations"`
		Statistic float64
		Unsettled bool `json:"unresolved"`
	}
	v.read(t, &in, &out)
	got, err := stat.FindWarmUp(in.Values, in.Batch)
	noError(t, "warm-up", err)
	equal(t, "batches", got.Batches, out.Batches)
	equal(t, "truncated batches", got.Truncate, out.Truncate)
	equal(t, "truncated values", got.Values, out.Values)
	equal(t, "unresolved", got.Unsettled, out.Unsettled)
	v.within(t, "statistic", got.Statistic, out.Statistic, v.tol("statistic_rel")*out.Statistic)
}

func changepoint(t *testing.T, v vector) {
	if has(v.In, "penalty") {
		var in struct {
			Series  []float64
			Penalty float64
		}
		var out struct {
			At        []int `json:"change_points"`
			Objective float64
		}
		v.read(t, &in, &out)
		got, err := stat.OptimalPartition(in.Series, in.Penalty)
		noError(t, "partition", err)
		if !slices.Equal(got.At, out.At) {
			t.Errorf("change points %v, want %v", got.At, out.At)
		}
		v.within(t, "objective", got.Objective, out.Objective, v.tol("objective_rel")*math.Abs(out.Objective))
		return
	}
	var in struct{ Series []float64 }
	var out struct {
		Tau, Kappa int
		Q          float64 `json:"qhat"`
		P          float64 `json:"t_p"`
	}
	v.read(t, &in, &out)
	got, err := stat.BestSplit(in.Series)
	noError(t, "split", err)
	v.within(t, "tau", float64(got.At), float64(out.Tau), v.tol("index"))
	v.within(t, "kappa", float64(got.To), float64(out.Kappa), v.tol("index"))
	v.within(t, "qhat", got.Q, out.Q, v.tol("qhat_rel")*out.Q)
	p, err := stat.LevelTest(in.Series, got.At)
	noError(t, "test", err)
	v.within(t, "p", p, out.P, v.tol("t_p_rel")*out.P)
}

func otava(t *testing.T, v vector) {
	var in struct {
		Series       []float64
		Window       int
		MaxP         float64 `json:"max_pvalue"`
		MinMagnitude float64 `json:"min_magnitude"`
	}
	var out struct {
		At []int `json:"change_points"`
	}
	v.read(t, &in, &out)
	got, err := stat.ChangePoints(in.Series, stat.ChangeRule{Window: in.Window, MaxP: in.MaxP, MinMagnitude: in.MinMagnitude})
	noError(t, "change points", err)
	equal(t, "number of change points", len(got), len(out.At))
	for i, c := range got {
		v.within(t, index("change point", i), float64(c.At), float64(out.At[min(i, len(out.At)-1)]), v.tol("index"))
	}
}
