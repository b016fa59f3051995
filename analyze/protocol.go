package analyze

import (
	"time"

	"headroom/detect"
)

// Protocol says by which rules runs are judged. The zero value of a field means
// its default; Defaults fills them in, so that what is printed is what was used.
type Protocol struct {
	// Name is "sweep", "ladder", "repeats", "soak", "pairs", "scenario", "bench", "counts" or "run"; "" lets Combine
	// recognise it from the label that varies between steps (concurrency, rate, repeat).
	Name string `json:"name"`
	// Title of the document; "" derives one.
	Title string `json:"title,omitempty"`

	// P99Limit is where a step of a sweep has crossed: p99 at or above it is
	// past the knee (default 1 s; the limit itself has crossed).
	P99Limit time.Duration `json:"p99_limit_ns"`
	// FleetRates are events per endpoint and hour (default 60, 600, 3600).
	FleetRates []float64 `json:"fleet_rates_per_hour"`
	// Targets are numbers of endpoints that the fleet is to reach (default none).
	// Each is judged by arithmetic, beside the verdict: it decides nothing.
	Targets []float64 `json:"targets,omitempty"`

	// Required names the gates that decide, nil those of the protocol.
	Required []string `json:"required,omitempty"`
	// MinSamples is the least number of ok samples of a repeat (default 1,000).
	MinSamples int64 `json:"min_samples"`
	// DriftLimit is the highest ratio of the last third's p99 to the first
	// third's (default 1.25, itself allowed); DriftMinSamples the least number
	// of samples in a third (default 300).
	DriftLimit      float64 `json:"drift_limit"`
	DriftMinSamples int64   `json:"drift_min_samples"`
	// DeliveredMin is the least share of the offered rate that a rung delivers (default 0.99).
	DeliveredMin float64 `json:"delivered_min"`
	// ProbeP99 is the limit of a probe scenario (default 500 ms).
	ProbeP99 time.Duration `json:"probe_p99_ns"`
	// ProbePercentile is the percentile that the limit is for: 50, 95 or 99 (default 99).
	ProbePercentile int `json:"probe_percentile"`
	// Probes are budgets of single probe scenarios; one without a name is that of
	// all that have none of their own.
	Probes []ProbeBudget `json:"probes,omitempty"`
	// DrainMax is how long a queue may take to empty after the load ends (default 10 s).
	DrainMax time.Duration `json:"drain_max_ns"`
	// LoadCoverage is the least share of the window that the contention record
	// covers (default 0.9).
	LoadCoverage float64 `json:"load_coverage_min"`
	// Evidence names kinds of evidence that must have been recorded over the window:
	// the beginning of a metric or marker ("rds.", "postgres."), or "sessions"
	// (default none).
	Evidence []string `json:"evidence,omitempty"`
	// Bench says which benchmarks are expected, and how they make up a whole.
	Bench BenchRules `json:"bench,omitzero"`
	// Scenario says what the checks of scenarios need to know of the system.
	Scenario ScenarioRules `json:"scenario,omitzero"`
	// Load names the run whose load clean-ups have to keep up with (default: the one
	// that carried most without a failure).
	Load string `json:"load,omitempty"`
	// Limiter is the rate limiter of the system under test, where no run claims one.
	Limiter LimiterRules `json:"limiter,omitzero"`
	// Derived are ratios and sums of other figures, by name.
	Derived []Derived `json:"derived,omitempty"`
	// PricePerHour is what the host costs an hour, in Currency, of runs that do not say
	// so themselves; 0 if it is not known.
	PricePerHour float64 `json:"price_per_hour,omitempty"`
	Currency     string  `json:"currency,omitempty"`
	// Params overrides detectors' parameters: "freeze.worst" → 0.2 (SI base units).
	Params map[string]float64 `json:"params,omitempty"`
	// Detectors are further detectors, beside the built-in ones.
	Detectors []*detect.Detector `json:"-"`
	// Calibration is the certificate that results are to carry.
	Calibration *Calibration `json:"-"`
	// Warmup cuts this much from the start of every window.
	Warmup time.Duration `json:"warmup_ns,omitempty"`
	// Window overrides the manifests' windows; zero times leave them.
	WindowStart time.Time `json:"window_start,omitzero"`
	WindowEnd   time.Time `json:"window_end,omitzero"`
}

// ProbeBudget is how long the requests of a probe may take.
type ProbeBudget struct {
	Scenario   string        `json:"scenario,omitempty"` // "" for every probe without a budget of its own
	Percentile int           `json:"percentile"`         // that the limit is for: 50, 95 or 99
	Limit      time.Duration `json:"limit_ns"`
}

// budget returns what a probe scenario is judged by.
func (p Protocol) budget(scenario string) ProbeBudget {
	out := ProbeBudget{scenario, p.ProbePercentile, p.ProbeP99}
	for _, b := range p.Probes {
		if b.Scenario == scenario {
			return b
		}
		if b.Scenario == "" {
			out = b
		}
	}
	return out
}

// Defaults returns p with every unset field at its default.
func (p Protocol) Defaults() Protocol {
	def := func(d *time.Duration, v time.Duration) {
		if *d == 0 {
			*d = v
		}
	}
	def(&p.P99Limit, time.Second)
	def(&p.ProbeP99, 500*time.Millisecond)
	def(&p.DrainMax, 10*time.Second)
	if p.ProbePercentile == 0 {
		p.ProbePercentile = 99
	}
	if p.FleetRates == nil {
		p.FleetRates = []float64{60, 600, 3600}
	}
	if p.MinSamples == 0 {
		p.MinSamples = 1000
	}
	if p.DriftLimit == 0 {
		p.DriftLimit = 1.25
	}
	if p.DriftMinSamples == 0 {
		p.DriftMinSamples = 300
	}
	if p.DeliveredMin == 0 {
		p.DeliveredMin = 0.99
	}
	if p.LoadCoverage == 0 {
		p.LoadCoverage = 0.9
	}
	return p
}
