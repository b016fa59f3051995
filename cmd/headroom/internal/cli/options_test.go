package cli

import (
	"reflect"
	"testing"
	"time"

	"headroom/analyze"
	"headroom/detect"
	"headroom/ingest"
	"headroom/runs"
)

func TestIngestOptions(t *testing.T) {
	o := mustParse(t, newIngestCmd, "--out", "r", "--id", "a-1", "--keep-raw", "--label", "system=x", "--label", "arm=a,b",
		"--step", "concurrency=64,rate=5", "--as", "vmstat", "--as", "b.csv=exit-status",
		"--claim", "events=events_sent", "--reconcile", "rows=events_sent,quantity=quantity_sent", "--exit-status", "99",
		"--window", "2026-08-17T12:00:00Z/2026-08-17T14:10:00.5+02:00", "--warmup", "30s",
		"--timezone", "Europe/Paris", "--time-unit", "us", "--events", "10", "--scenario", "s",
		"--own", "postgres", "--own", "k6", "--cores", "16", "--load-model", "open", "--rate", "80.5", "--concurrency", "4",
		"--probe", "usage", "--start", "2026-08-17T12:00:00Z", "--interval", "5s", "--quiet", "--json", "a.txt", "b.csv")
	if o.Out != "r" || o.ID != "a-1" || !o.KeepRaw || o.DryRun || !o.JSON || !o.Quiet || o.warmup != 30*time.Second {
		t.Errorf("options: %+v", o)
	}
	if w := o.window.manifest(); w == nil || *w != (runs.Window{Start: "2026-08-17T12:00:00Z", End: "2026-08-17T12:10:00.5Z", Declared: true}) {
		t.Errorf("window: %+v", w)
	}
	req, err := o.evidence.request(o.Env, o.evidence.places.split(o.Files, func(string) string { return "" })[0].files)
	if err != nil {
		t.Fatal(err)
	}
	if req.Options.Zone == nil || req.Options.Zone.String() != "Europe/Paris" {
		t.Errorf("zone: %v", req.Options.Zone)
	}
	status := 99
	want := ingest.Request{
		Stdin:     o.Env.In,
		Files:     []ingest.File{{Path: "a.txt", As: "vmstat"}, {Path: "b.csv", As: "exit-status"}},
		Labels:    map[string]string{"system": "x", "arm": "a,b"},
		Steps:     []runs.Step{{Labels: map[string]string{"concurrency": "64", "rate": "5"}}},
		Claims:    map[string]string{"events": "events_sent"},
		Reconcile: map[string]string{"rows": "events_sent", "quantity": "quantity_sent"},
		Options: ingest.Options{
			Zone: req.Options.Zone, TimeUnit: time.Microsecond, Events: 10, Scenario: "s",
			Start: time.Date(2026, 8, 17, 12, 0, 0, 0, time.UTC), Interval: 5 * time.Second,
		},
		ExitStatus: &status, Host: runs.Host{Cores: 16}, Model: runs.OpenLoop, Rate: 80.5, Concurrency: 4,
		Probes: []string{"usage"}, Own: []string{"postgres", "k6"},
	}
	if req.Show == nil {
		t.Error("errors do not show paths as they were typed")
	}
	req.Show = nil
	if !reflect.DeepEqual(req, want) {
		t.Errorf("request:\n got %+v\nwant %+v", req, want)
	}
}

func TestIngestRefuses(t *testing.T) {
	for _, c := range []struct {
		want string
		args []string
	}{
		{"--out RUN", []string{"a"}},
		{"no FILE given", []string{"--out", "r"}},
		{"unknown flag: --lable; did you mean --label?", []string{"--out", "r", "--lable", "a=b", "f"}},
		{"flag needs an argument: --label", []string{"--out", "r", "f", "--label"}},
		{"is not KEY=VALUE", []string{"--out", "r", "--label", "a", "f"}},
		{"is given twice", []string{"--out", "r", "--label", "a=1", "--label", "a=2", "f"}},
		{"START/END", []string{"--out", "r", "--window", "12:00", "f"}},
		{"RFC 3339", []string{"--out", "r", "--window", "2026-08-17T12:00:00/2026-08-17T12:10:00", "f"}},
		{"ends before it starts", []string{"--out", "r", "--window", "2026-08-17T12:00:00Z/2026-08-17T12:00:00Z", "f"}},
		{"above zero", []string{"--out", "r", "--warmup", "-1s", "f"}},
		{"want s, ms, us, ns", []string{"--out", "r", "--time-unit", "min", "f"}},
		{"want open, closed", []string{"--out", "r", "--load-model", "half", "f"}},
		{"above zero", []string{"--out", "r", "--rate", "0", "f"}},
		{"no number", []string{"--out", "r", "--rate", "NaN", "f"}},
		{"--redact is not available in this version", []string{"--out", "r", "--redact", "f"}},
	} {
		refused(t, newIngestCmd, c.want, c.args...)
	}
}

func TestEvidenceRefuses(t *testing.T) {
	for _, c := range []struct {
		want string
		args []string
	}{
		{"no such time zone", []string{"--timezone", "Europe/Lutetia"}},
		{"there is no format \"exit-statsu\"; did you mean exit-status?", []string{"--as", "exit-statsu"}},
		{"no FILE of the command is called g", []string{"--as", "g=exit-status"}},
		{"0 to 255", []string{"--exit-status", "256"}},
	} {
		o := mustParse(t, newIngestCmd, append([]string{"--out", "r", "f"}, c.args...)...)
		_, err := o.evidence.request(o.Env, []ingest.File{{Path: "f"}})
		wantUsage(t, err, c.want)
	}
}

func TestAnalyzeOptions(t *testing.T) {
	o := mustParse(t, newAnalyzeCmd, "--protocol", "sweep", "--title", "T", "--p99-limit", "500ms", "--fleet-rate", "60, 600",
		"--target", "1000", "--target", "2000", "--min-samples", "500", "--drift-limit", "1.5", "--delivered-min", "0.98",
		"--probe-p99", "250ms", "--window", "2026-08-17T12:00:00Z/2026-08-17T12:10:00Z", "--warmup", "10s", "a", "b")
	want := analyze.Protocol{
		Name: "sweep", Title: "T", P99Limit: 500 * time.Millisecond, FleetRates: []float64{60, 600}, Targets: []float64{1000, 2000},
		MinSamples: 500, DriftLimit: 1.5, DeliveredMin: 0.98, ProbeP99: 250 * time.Millisecond, Warmup: 10 * time.Second,
		WindowStart: time.Date(2026, 8, 17, 12, 0, 0, 0, time.UTC), WindowEnd: time.Date(2026, 8, 17, 12, 10, 0, 0, time.UTC),
	}
	if !reflect.DeepEqual(o.Protocol, want) {
		t.Errorf("protocol:\n got %+v\nwant %+v", o.Protocol, want)
	}
	if !reflect.DeepEqual(o.Runs, []string{"a", "b"}) {
		t.Errorf("runs: %q", o.Runs)
	}
	if none := mustParse(t, newAnalyzeCmd, "a").Protocol; !reflect.DeepEqual(none, analyze.Protocol{}) {
		t.Errorf("without flags the protocol must be left to its defaults, got %+v", none)
	}
}

func TestAnalyzeRefuses(t *testing.T) {
	for _, c := range []struct {
		want string
		args []string
	}{
		{"no RUN given", nil},
		{"sweep, ladder, repeats, soak, pairs, scenario, bench, run", []string{"--protocol", "swep", "r"}},
		{"\"x\" is no number", []string{"--fleet-rate", "60,x", "r"}},
		{"\"0\" must be above zero", []string{"--fleet-rate", "0", "r"}},
		{"\"-1\" must be above zero", []string{"--target", "-1", "r"}},
		{"at most 1", []string{"--delivered-min", "1.01", "r"}},
		{"there is no gate \"nothing\"", []string{"--require", "nothing", "r"}},
		{"there is no parameter \"freeze.wurst\"", []string{"--param", "freeze.wurst=1", "r"}},
		{"above zero", []string{"--drift-limit", "0", "r"}},
		{"--target does not go with a study", []string{"--study", "s.yaml", "--target", "5", "r"}},
	} {
		refused(t, newAnalyzeCmd, c.want, c.args...)
	}
}

func TestRequireAndParamOptions(t *testing.T) {
	if len(analyze.Gates) == 0 || len(detect.All) == 0 {
		t.Fatal("there are no gates or no detectors to name")
	}
	d := detect.All[0]
	name := d.Name + "." + d.Params[0].Name
	o := mustParse(t, newAnalyzeCmd, "--require", analyze.Gates[0].Name, "--param", name+"=0.25", "r")
	if !reflect.DeepEqual(o.Protocol.Required, []string{analyze.Gates[0].Name}) {
		t.Errorf("required: %q", o.Protocol.Required)
	}
	if !reflect.DeepEqual(o.Protocol.Params, map[string]float64{name: 0.25}) {
		t.Errorf("params: %v", o.Protocol.Params)
	}
	refused(t, newAnalyzeCmd, "is no number", "--param", name+"=fast", "r")
}

func TestDetectOptions(t *testing.T) {
	name := detect.All[0].Name
	o := mustParse(t, newDetectCmd, "--detector", name, "--fail-on", "serious", "r")
	if !reflect.DeepEqual(o.Detectors, []string{name}) || o.FailOn != detect.Serious {
		t.Errorf("options: %+v", o)
	}
	refused(t, newDetectCmd, "did you mean "+name+"?", "--detector", name+"x", "r")
	refused(t, newDetectCmd, "want info, warning, serious", "--fail-on", "bad", "r")
}

func TestReportBuildOptions(t *testing.T) {
	o := mustParse(t, newReportBuildCmd, "-o", "page", "--p99-limit", "2s", "--window", "2026-08-17T12:00:00Z/2026-08-17T12:10:00Z",
		"r", "--run", "concurrency=1", "a", "b", "--run", "concurrency=2", "c")
	if o.Out != "page" || o.Protocol.P99Limit != 2*time.Second || o.flags.window.start.IsZero() {
		t.Errorf("options: %+v", o)
	}
	groups := o.evidence.places.split(o.Args, func(string) string { return "" })
	want := []fileGroup{
		{"", []ingest.File{{Path: "r"}}},
		{"concurrency=1", []ingest.File{{Path: "a"}, {Path: "b"}}},
		{"concurrency=2", []ingest.File{{Path: "c"}}},
	}
	if !reflect.DeepEqual(groups, want) {
		t.Errorf("groups:\n got %+v\nwant %+v", groups, want)
	}
	refused(t, newReportBuildCmd, "-o OUT", "r")
	refused(t, newReportBuildCmd, "no RUN or FILE given", "-o", "page")
}

func TestRunsOptions(t *testing.T) {
	if o := mustParse(t, plainRun(newRunsLsCmd)); !reflect.DeepEqual(o.Archives, []string{"."}) {
		t.Errorf("runs ls alone: %q", o.Archives)
	}
	if o := mustParse(t, plainRun(newRunsLsCmd), "a", "b", "--json"); !reflect.DeepEqual(o.Archives, []string{"a", "b"}) || !o.JSON {
		t.Errorf("runs ls a b: %+v", o)
	}
	if o := mustParse(t, newRunsShowCmd, "a"); o.Run != "a" {
		t.Errorf("runs show: %+v", o)
	}
	refused(t, newRunsShowCmd, "takes one RUN", "a", "b")
	if o := mustParse(t, newRunsVerifyCmd, "a", "b"); !reflect.DeepEqual(o.Runs, []string{"a", "b"}) {
		t.Errorf("runs verify: %+v", o)
	}
	refused(t, newRunsVerifyCmd, "no RUN given")
}

func TestReferenceOptions(t *testing.T) {
	if o := mustParse(t, plainRun(newVersionCmd), "--json"); !o.JSON {
		t.Errorf("version: %+v", o)
	}
	refused(t, plainRun(newVersionCmd), "takes no arguments", "now")
	if o := mustParse(t, plainRun(newCompletionCmd), "fish"); o.Shell != "fish" {
		t.Errorf("completion: %+v", o)
	}
	refused(t, plainRun(newCompletionCmd), "unknown shell", "csh")
}
