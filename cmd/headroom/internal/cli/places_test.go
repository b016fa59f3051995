package cli

import (
	"reflect"
	"strings"
	"testing"

	"headroom/ingest"
	"headroom/internal/exitcode"
)

// byPrefix tells formats by the first word of a name: "counts.a" is "counts".
func byPrefix(path string) string {
	name, _, _ := strings.Cut(path, ".")
	return name
}

// TestRoles reads --before and --after as people type them: the shell has
// expanded a pattern, or the load file comes last.
func TestRoles(t *testing.T) {
	file := func(path string) ingest.File { return ingest.File{Path: path} }
	before := func(path string) ingest.File { return ingest.File{Path: path, Role: ingest.Before} }
	after := func(path string) ingest.File { return ingest.File{Path: path, Role: ingest.After} }
	for _, c := range []struct {
		args string
		want []ingest.File
	}{
		{"k6.json --before counts.b --after counts.a", []ingest.File{before("counts.b"), after("counts.a"), file("k6.json")}},
		{"--before counts.b --after counts.a k6.json", []ingest.File{before("counts.b"), after("counts.a"), file("k6.json")}},
		{"--before counts.b counts.c --after counts.a counts.d k6.json", []ingest.File{
			before("counts.b"), after("counts.a"), before("counts.c"), after("counts.d"), file("k6.json")}},
		{"--before counts.b --after counts.a counts.d", []ingest.File{before("counts.b"), after("counts.a"), after("counts.d")}},
		{"--before counts.b k6.json counts.c", []ingest.File{before("counts.b"), file("k6.json"), file("counts.c")}},
		{"--before psql-counts.b json-counts.b kafka-offsets.b k6.json --after expvar.a", []ingest.File{
			before("psql-counts.b"), after("expvar.a"), before("json-counts.b"), before("kafka-offsets.b"), file("k6.json")}},
		{"--before psql-counts.b postgres-stats.b k6.json", []ingest.File{before("psql-counts.b"), file("postgres-stats.b"), file("k6.json")}},
		{"counts.z --before counts.b", []ingest.File{before("counts.b"), file("counts.z")}},
	} {
		o := mustParse(t, newIngestCmd, append([]string{"--out", "r"}, strings.Fields(c.args)...)...)
		groups := o.evidence.places.split(o.Files, byPrefix)
		if len(groups) != 1 || !reflect.DeepEqual(groups[0].files, c.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", c.args, groups, c.want)
		}
	}
}

// TestRolesInGroups gives each --run its own counts.
func TestRolesInGroups(t *testing.T) {
	o := mustParse(t, newReportBuildCmd, strings.Fields(
		"-o page --run a k6.a --before counts.1 --after counts.2 --run b --before counts.3 counts.4 k6.b")...)
	got := o.evidence.places.split(o.Args, byPrefix)
	want := []fileGroup{
		{"", nil},
		{"a", []ingest.File{{Path: "counts.1", Role: ingest.Before}, {Path: "counts.2", Role: ingest.After}, {Path: "k6.a"}}},
		{"b", []ingest.File{{Path: "counts.3", Role: ingest.Before}, {Path: "counts.4", Role: ingest.Before}, {Path: "k6.b"}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("groups:\n got %+v\nwant %+v", got, want)
	}
}

func wantUsage(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || exitcode.Of(err) != exitcode.Usage || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v (status %d), want bad usage with %q", err, exitcode.Of(err), want)
	}
}

// TestGroupNames says what the name of a group makes of its run.
func TestGroupNames(t *testing.T) {
	for _, c := range []struct {
		name, id     string
		labels, step map[string]string
	}{
		{"", "", nil, nil},
		{"concurrency=64", "", map[string]string{"system": "x"}, map[string]string{"concurrency": "64"}},
		{"arm=control,rate=1.5e3", "", map[string]string{"system": "x", "arm": "control"}, map[string]string{"rate": "1.5e3"}},
		{"repeat=2", "", map[string]string{"system": "x", "repeat": "2"}, nil},
		{"3", "", map[string]string{"system": "x", "repeat": "3"}, nil},
		{"tuned-1", "tuned-1", map[string]string{"system": "x"}, nil},
	} {
		req := ingest.Request{}
		if c.name != "" {
			req.Labels = map[string]string{"system": "x"}
		}
		id, err := fileGroup{name: c.name}.label(&req)
		if err != nil || id != c.id {
			t.Errorf("--run %s: id %q, %v; want %q", c.name, id, err, c.id)
			continue
		}
		var step map[string]string
		if len(req.Steps) > 0 {
			step = req.Steps[0].Labels
		}
		if !reflect.DeepEqual(req.Labels, c.labels) || !reflect.DeepEqual(step, c.step) {
			t.Errorf("--run %s: labels %v, step %v; want %v, %v", c.name, req.Labels, step, c.labels, c.step)
		}
	}
	_, err := fileGroup{name: "=1"}.label(&ingest.Request{})
	wantUsage(t, err, "is not KEY=VALUE")
}
