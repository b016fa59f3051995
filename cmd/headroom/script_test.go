package main

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets scripts run headroom as a process of its own: the test binary,
// called by that name, and k6pipe as a load for it.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"headroom": main, "k6pipe": k6pipe})
}

// TestScripts runs every testdata/script/*.txtar; scriptCommands are the words
// it adds to those of testscript.
func TestScripts(t *testing.T) {
	docs, err := filepath.Abs("../../docs")
	if err != nil {
		t.Fatal(err)
	}
	cmds := map[string]func(*testscript.TestScript, bool, []string){}
	for name, run := range scriptCommands {
		cmds[name] = func(ts *testscript.TestScript, neg bool, args []string) {
			if neg {
				ts.Fatalf("unsupported: ! %s", name)
			}
			run(ts, args)
		}
	}
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: cmds,
		Setup: func(env *testscript.Env) error {
			env.Setenv("DOCS", docs)
			return nil
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}
