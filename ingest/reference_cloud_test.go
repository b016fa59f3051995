package ingest

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"headroom/runs"
)

// cloudKinds are the kinds of artifacts of the reference sets that are of clouds
// and applications.
var cloudKinds = map[string]*Importer{
	"cloudwatch-get-metric-data": CloudWatchData, "rds-enhanced-monitoring": RDSEnhanced, "pi-get-resource-metrics": PerformanceInsights,
	"app-json-log": AppJSONL, "expvar-before": Expvar, "expvar-after": Expvar, "count-json": JSONCounts,
	"kafka-offsets-before": KafkaOffsets, "kafka-offsets-after": KafkaOffsets, "id-list": IDList,
}

// TestReferenceCloud reads every artifact of those kinds, recognised by content,
// and compares what follows from CloudWatch, from what was there before and after,
// and from lists of ids with the sets' right answers.
func TestReferenceCloud(t *testing.T) {
	root := sharedFolder(t, "HEADROOM_REFERENCE", "reference", "README.md")
	manifests, _ := filepath.Glob(filepath.Join(root, "*", "manifest.json"))
	if len(manifests) == 0 {
		t.Fatalf("%s holds no set with a manifest.json", root)
	}
	files, answered := 0, 0
	for _, path := range manifests {
		var set struct {
			Set  string
			Runs []referenceRun
		}
		readJSON(t, path, &set)
		truth := readTruth(t, filepath.Join(filepath.Dir(path), "truth.json"))
		for _, run := range set.Runs {
			got := map[string]string{}
			for _, a := range run.Artifacts {
				im := cloudKinds[a.Kind]
				file := filepath.Join(filepath.Dir(path), a.Path)
				if _, err := os.Stat(file); im == nil || err != nil {
					continue // a set plants files that were promised and are not there
				}
				files++
				in, r, err := readFile(t, im, file, Options{})
				if n, bad := in.BadLines(); err != nil || n > 0 {
					t.Errorf("%s: %v, %d bad lines: %v", a.Path, err, n, bad)
				}
				run.measureCloud(got, a.Kind, in, r)
			}
			for name, value := range got {
				want, ok := truth[set.Set+"."+run.ID+"."+name]
				if !ok || want == "null" {
					continue
				}
				answered++
				if !sameNumber(value, want) {
					t.Errorf("%s.%s.%s: got %s, want %s", set.Set, run.ID, name, value, want)
				}
			}
		}
	}
	t.Logf("read %d files, answered %d ids", files, answered)
	if answered == 0 {
		t.Error("nothing of the truth was answered")
	}
}

// measureCloud adds what one artifact answers.
func (run *referenceRun) measureCloud(got map[string]string, kind string, in *Input, r *rows) {
	switch kind {
	case "cloudwatch-get-metric-data":
		for name, metric := range map[string]string{"cpu": "cloudwatch.CPUUtilization", "queue": "cloudwatch.DiskQueueDepth", "read_iops": "cloudwatch.ReadIOPS", "write_iops": "cloudwatch.WriteIOPS"} {
			var values []float64
			for _, p := range r.points {
				start := (p.Time - p.Resolution) * 1000
				if p.Metric == metric && start+p.Resolution*1000 > run.Window.Start.UnixNano() && start < run.Window.End.UnixNano() {
					v := p.Value
					if name == "cpu" {
						v *= 100
					}
					values = append(values, v)
				}
			}
			if len(values) > 0 {
				got["rds_"+name+"_min"], got["rds_"+name+"_max"] = number(slices.Min(values)), number(slices.Max(values))
			}
		}
	case "count-json":
		got["posts_held"] = in.Meta.Counts.Values["count"]
	case "app-json-log":
		passes, removed := 0, 0.0
		for _, m := range r.markers {
			if n, ok := attrNumber(m, "nonces"); ok && strings.HasPrefix(m.Message, "housekeeping") {
				passes++
				removed += n
			}
		}
		if passes > 0 {
			got["passes"], got["removed"] = number(float64(passes)), number(removed)
		}
	case "kafka-offsets-before", "kafka-offsets-after":
		sum, _ := rational(in.Meta.Counts.Values["kafka.end_offsets"])
		v, _ := sum.Float64()
		if kind == "kafka-offsets-after" {
			got["end_after"] = number(v)
		} else {
			got["end_before"] = number(v)
		}
		if got["end_before"] != "" && got["end_after"] != "" {
			after, _ := rational(got["end_after"])
			before, _ := rational(got["end_before"])
			d, _ := after.Sub(after, before).Float64()
			got["stored_events"] = number(d)
		}
	case "id-list":
		got["stored_batches"] = number(float64(len(in.Meta.Listed.ids)))
	}
}

// attrNumber returns a number among a marker's attributes.
func attrNumber(m runs.Marker, name string) (float64, bool) {
	_, rest, ok := strings.Cut(m.Attrs, `"`+name+`":`)
	if !ok {
		return 0, false
	}
	end := strings.IndexAny(rest, ",}")
	r, ok := rational(rest[:max(end, 0)])
	if !ok {
		return 0, false
	}
	v, _ := r.Float64()
	return v, true
}

// TestMetricsOfCloudsDocumented fails for a metric of a cloud that the cases bring
// forth and docs/format/metrics.md does not name, by itself or by its pattern.
func TestMetricsOfCloudsDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "format", "metrics.md"))
	if err != nil {
		t.Fatal(err)
	}
	patterns := map[string]string{"cloudwatch": "cloudwatch.<label>", "pi": "pi.<metric>", "prometheus": "prometheus.<name>", "otlp": "otlp.<name>", "series": "series.<column>"}
	seen := 0
	for _, im := range []*Importer{CloudWatchData, CloudWatchStatistics, RDSEnhanced, PerformanceInsights, PrometheusJSON, OpenMetrics, OTLPMetrics, SeriesCSV, AppJSONL, AppLogfmt} {
		paths, _ := filepath.Glob(filepath.Join("testdata", im.Name, "*.txtar"))
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			_, files := parseArchive(string(text))
			for _, f := range files {
				if !strings.HasPrefix(f.name, "input") {
					continue
				}
				_, r, _ := tryText(im, f.name, f.text, Options{Zone: time.UTC, Start: time.Unix(1772445600, 0), Interval: time.Second})
				names := map[string]bool{}
				for _, p := range r.points {
					names[p.Metric] = true
				}
				for _, m := range r.markers {
					names[m.Kind] = true
				}
				for name := range names {
					seen++
					tool, _, _ := strings.Cut(name, ".")
					name = firstSet(patterns[tool], name)
					name = strings.Replace(name, "rds.physical_disk.", "rds.disk.", 1)
					if !bytes.Contains(page, []byte("`"+name+"`")) {
						t.Errorf("%s: %s is not in docs/format/metrics.md", im.Name, name)
					}
				}
			}
		}
	}
	if seen == 0 {
		t.Error("the cases bring forth nothing")
	}
}
