package archtest

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// room is what one part of the tree may do.
type room struct {
	imports []string // other rooms; sub-packages of a room belong to it
	doors   []string // third-party modules that only rooms naming them may import
	any     bool     // may import every room
	world   bool     // may use the clock, the environment, the standard streams, logging
	pure    bool     // touches nothing: no files, no network
	spawns  bool     // may start goroutines
	timers  bool     // may wait
}

// rooms is the house. A folder that is not in it may hold no Go package.
var rooms = map[string]room{
	"cmd":         {any: true, world: true, spawns: true, timers: true, doors: []string{"github.com/spf13/cobra", "github.com/spf13/pflag"}},
	"rescan":      {imports: []string{"analyze", "detect", "runs", "internal/thousands"}, spawns: true},
	"render":      {imports: []string{"analyze", "templates", "stat", "internal/near", "internal/pattern", "internal/thousands"}, doors: []string{"gonum.org/v1/plot", "github.com/yuin/goldmark"}},
	"templates":   {pure: true},
	"analyze":     {imports: []string{"detect", "runs", "runs/rollup", "stat", "internal/near", "internal/runtest", "internal/thousands", "internal/yamlfile"}, pure: true},
	"detect":      {imports: []string{"runs", "runs/rollup", "stat", "internal/rule", "internal/thousands"}, pure: true},
	"capture":     {imports: []string{"ingest", "runs", "internal/near", "internal/pattern"}, spawns: true, timers: true, doors: []string{"github.com/jackc/pgx/v5", "github.com/prometheus/procfs", aws}},
	"ingest":      {imports: []string{"runs", "stat", "internal/pattern", "internal/yamlfile"}, spawns: true, doors: []string{jsontext, compress}},
	"runs/rollup": {imports: []string{"runs", "stat"}, doors: []string{parquet}},
	"runs":        {imports: []string{"stat", "internal/pattern"}, spawns: true, doors: []string{parquet, "github.com/apache/arrow-go/v18", jsontext, compress, aws}},
	"stat":        {imports: []string{"internal/thousands"}, pure: true, doors: []string{"github.com/HdrHistogram/hdrhistogram-go", "gonum.org/v1/gonum", "github.com/aclements/go-moremath"}},

	"internal/archtest":    {},
	"internal/browsertest": {timers: true},
	"internal/conformance": {any: true},
	"internal/exitcode":    {pure: true},
	"internal/golden":      {doors: []string{"github.com/google/go-cmp"}},
	"internal/thousands":   {pure: true},
	"internal/near":        {pure: true},
	"internal/pattern":     {pure: true},
	"internal/pgtest":      {timers: true},
	"internal/rule":        {imports: []string{"internal/near", "internal/yamlfile"}, pure: true, doors: []string{"github.com/expr-lang/expr"}},
	"internal/runtest":     {imports: []string{"runs"}, pure: true},
	"internal/yamlfile":    {imports: []string{"internal/pattern"}, pure: true, doors: []string{"github.com/goccy/go-yaml"}},

	"bench":    {any: true, world: true, spawns: true, timers: true},
	"examples": {any: true, world: true, spawns: true, timers: true},
	"tools":    {any: true, world: true, spawns: true, timers: true},
}

// Modules with two doors: one library per need, but two rooms have the need.
const (
	aws      = "github.com/aws/aws-sdk-go-v2"
	compress = "github.com/klauspost/compress"
	jsontext = "github.com/go-json-experiment/json"
	parquet  = "github.com/parquet-go/parquet-go"
)

// What test files may import beyond what their room can reach.
var (
	testRooms   = []string{"internal/browsertest", "internal/golden", "internal/pgtest", "internal/runtest"}
	testModules = []string{"github.com/google/go-cmp", "github.com/rogpeppe/go-internal", "github.com/santhosh-tekuri/jsonschema/v6", "pgregory.net/rapid"}
)

// maxDirect is the budget of modules that our own files import.
const maxDirect = 25

func TestHouse(t *testing.T) {
	root := moduleRoot(t)
	mods := requirements(t, filepath.Join(root, "go.mod"))
	h := newHouse(mods)
	for path, src := range goFiles(t, root) {
		if err := h.add(path, src); err != nil {
			t.Error(err)
		}
	}
	if len(h.files) < 10 {
		t.Fatalf("only %d Go files found below %s", len(h.files), root)
	}
	for _, fault := range h.faults() {
		t.Error(fault)
	}
	if direct := h.direct(); len(direct) > maxDirect {
		t.Errorf("%d modules are imported directly, the budget is %d: %v", len(direct), maxDirect, direct)
	}
}

// The guard itself must see each kind of fault.
func TestFaultsAreSeen(t *testing.T) {
	h := newHouse([]string{parquet, "github.com/spf13/cobra", "pgregory.net/rapid", "gonum.org/v1/gonum", "gonum.org/v1/plot"})
	ours := func(s string) string { return strings.ReplaceAll(s, "headroom/", module+"/") }
	for path, src := range map[string]string{
		"stat/a.go":        `package stat; import _ "headroom/runs"`,
		"runs/a.go":        `package runs; import _ "headroom/runs/rollup"`,
		"detect/a.go":      `package detect; import "os"; var _ = os.Open`,
		"analyze/a.go":     `package analyze; import _ "headroom/cmd/headroom/internal/cli"; func Worst() {}; type Result struct{}`,
		"render/a.go":      `package render; import "headroom/analyze"; var _ analyze.Result; var _ = analyze.Worst`,
		"render/b.go":      `package render; import _ "headroom/detect"`,
		"render/b_test.go": `package render; import _ "headroom/detect"; import _ "headroom/internal/golden"`,
		"ingest/a.go":      `package ingest; import _ "github.com/parquet-go/parquet-go"; import _ "pgregory.net/rapid"`,
		"ingest/a_test.go": `package ingest; import _ "pgregory.net/rapid"; import "time"; var _ = time.Now`,
		"ingest/b.go":      `package ingest; import clock "time"; var _ = clock.Now; var _ = clock.Second`,
		"runs/b.go":        `package runs; import "os"; var _ = os.Getenv; var _ = os.Open; var _ = os.Stderr`,
		"runs/c.go":        `package runs; import "math/rand/v2"; var _ = rand.IntN(3); var _ = rand.New(rand.NewPCG(1, 2))`,
		"analyze/b.go":     `package analyze; func f() { go f() }`,
		"ingest/c.go":      `package ingest; import "time"; import _ "log"; func f() { go time.Sleep(1) }`,
		"capture/a.go":     `package capture; import "time"; func f() { go time.Sleep(1) }`,
		"util/a.go":        `package util`,
		"cmd/headroom/a.go": `package main; import _ "github.com/spf13/cobra"; import _ "headroom/rescan"; import "os"; import "time"
			var _, _ = os.Getenv, time.Now`,
		"stat/b.go": `package stat; import _ "gonum.org/v1/gonum/mathext"; import _ "gonum.org/v1/plot"; import _ "example.test/x"`,
	} {
		if err := h.add(path, []byte(ours(src))); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		"analyze/a.go:1: imports cmd", "analyze/b.go:1: starts a goroutine", "detect/a.go:1: imports os",
		"ingest/a.go:1: imports github.com/parquet-go/parquet-go", "ingest/a.go:1: imports pgregory.net/rapid",
		"ingest/b.go:1: uses time.Now", "ingest/c.go:1: imports log", "ingest/c.go:1: uses time.Sleep",
		"render/a.go:1: calls analyze.Worst", "render/b.go:1: imports detect",
		"runs/a.go:1: imports runs/rollup", "runs/b.go:1: uses os.Getenv", "runs/b.go:1: uses os.Stderr", "runs/c.go:1: uses math/rand/v2.IntN",
		"stat/a.go:1: imports runs", "stat/b.go:1: imports example.test/x", "stat/b.go:1: imports gonum.org/v1/plot",
		"util/a.go:1: no room",
	}
	var got []string
	for _, f := range h.faults() {
		short, _, _ := strings.Cut(f, " (")
		got = append(got, short)
	}
	if !slices.Equal(got, want) {
		t.Errorf("faults\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	direct := []string{"example.test/x", parquet, "github.com/spf13/cobra", "gonum.org/v1/gonum", "gonum.org/v1/plot", "pgregory.net/rapid"}
	if d := h.direct(); !slices.Equal(d, direct) {
		t.Errorf("direct modules %v, want %v", d, direct)
	}
}

// Every room named in the table exists in the table.
func TestTableIsClosed(t *testing.T) {
	for name := range maps.Keys(rooms) {
		for _, to := range rooms[name].imports {
			if _, ok := rooms[to]; !ok {
				t.Errorf("room %s may import %s, which is no room", name, to)
			}
		}
	}
}

// moduleRoot returns the nearest folder above that holds go.mod.
func moduleRoot(t *testing.T) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for !exists(filepath.Join(dir, "go.mod")) {
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = up
	}
	return dir
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
