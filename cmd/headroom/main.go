// Headroom turns the recorded evidence of load runs into a capacity document.
// `headroom help` lists its commands; the package documentation of internal/cli
// says how they are built.
package main

import (
	"io"
	"os"
	"runtime/debug"
	"time"
	_ "time/tzdata" // --timezone works on a machine without a zone database

	"headroom/cmd/headroom/internal/cli"
)

func main() {
	interrupts := newInterrupts()
	env := &cli.Env{
		Stdio:  cli.Stdio{In: os.Stdin, Out: os.Stdout, Err: os.Stderr},
		Now:    time.Now,
		Getenv: os.Getenv,
		Width:  width,

		Outlive: interrupts.outlive,
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		env.LimitMemory = func(bytes int64) { debug.SetMemoryLimit(bytes) }
	}
	if os.Getenv("GOGC") == "" {
		env.SpareCPU = func() { debug.SetGCPercent(200) }
	}
	os.Exit(cli.Main(interrupts.ctx, env, os.Args[1:]))
}

// width returns the columns of the terminal that w writes to, 0 if it is none.
func width(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		return columns(f)
	}
	return 0
}
