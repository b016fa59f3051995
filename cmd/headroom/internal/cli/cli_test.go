package cli

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"headroom/internal/exitcode"
)

// testEnv is a process that writes into buffers, whose clock stands still.
type testEnv struct {
	Env
	out, err bytes.Buffer
}

func newTestEnv(dir string) *testEnv {
	e := &testEnv{}
	e.Env = Env{
		Stdio:  Stdio{In: strings.NewReader(""), Out: &e.out, Err: &e.err},
		Dir:    dir,
		Now:    func() time.Time { return time.Date(2026, 8, 17, 12, 0, 0, 0, time.UTC) },
		Getenv: func(string) string { return "" },
		Width:  func(io.Writer) int { return 0 },
	}
	return e
}

// parse gives a command its arguments and returns the Options that it would
// have run with. Flag errors are worded as the root command does.
func parse[T any](build func(*Env, func(context.Context, *T) error) *cobra.Command, args ...string) (*T, error) {
	var got *T
	env := newTestEnv("")
	cmd := build(&env.Env, func(_ context.Context, o *T) error {
		got = o
		return nil
	})
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetFlagErrorFunc(flagError)
	cmd.SetOut(&env.out)
	cmd.SetArgs(append([]string{}, args...))
	err := cmd.Execute()
	return got, err
}

// plainRun adapts commands whose run function takes no context.
func plainRun[T any](build func(*Env, func(*T) error) *cobra.Command) func(*Env, func(context.Context, *T) error) *cobra.Command {
	return func(env *Env, run func(context.Context, *T) error) *cobra.Command {
		return build(env, func(o *T) error { return run(context.Background(), o) })
	}
}

func mustParse[T any](t *testing.T, build func(*Env, func(context.Context, *T) error) *cobra.Command, args ...string) *T {
	t.Helper()
	got, err := parse(build, args...)
	if err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	if got == nil {
		t.Fatalf("%q: the command was not run", args)
	}
	return got
}

// refused checks that the arguments are refused as bad usage with these words.
func refused[T any](t *testing.T, build func(*Env, func(context.Context, *T) error) *cobra.Command, want string, args ...string) {
	t.Helper()
	got, err := parse(build, args...)
	if err == nil || got != nil {
		t.Errorf("%q was accepted", args)
		return
	}
	if code := exitcode.Of(err); code != exitcode.Usage || !strings.Contains(err.Error(), want) {
		t.Errorf("%q: status %d, %q; want status %d with %q", args, code, err, exitcode.Usage, want)
	}
}
