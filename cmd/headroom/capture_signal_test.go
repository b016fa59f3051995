package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"headroom/runs"
)

// begun starts a command of headroom, and waits until the load that it records
// has made a file.
func begun(t *testing.T, dir string, args ...string) (cmd *exec.Cmd, talk *bytes.Buffer) {
	t.Helper()
	cmd, talk = headroomIn(t, dir, args...), &bytes.Buffer{}
	cmd.Stderr = talk
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	await(t, "the load runs", func() bool { _, err := os.Stat(filepath.Join(dir, "began")); return err == nil })
	return cmd, talk
}

func interrupt(t *testing.T, cmd *exec.Cmd, signals ...syscall.Signal) {
	t.Helper()
	for _, s := range signals {
		if err := cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
}

// One wish to end arrives twice where it is sent to the process and to its group:
// the load is asked once, and the run is sealed.
func TestCaptureInterruptedTwiceAtOnce(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			cmd, talk := begun(t, dir, "capture", "--out", "run", "--", "sh", "-c", `trap 'echo asked >> asked; sleep 0.5; exit 5' INT; : > began; while :; do sleep 0.1; done`)
			interrupt(t, cmd, s, s)
			time.Sleep(20 * time.Millisecond)
			interrupt(t, cmd, s)
			cmd.Wait()
			if m := opened(t, filepath.Join(dir, "run")).Manifest(); m.State != runs.Sealed || cmd.ProcessState.ExitCode() != 5 {
				t.Errorf("state %s, %s: %s", m.State, cmd.ProcessState, talk)
			}
			if asked, err := os.ReadFile(filepath.Join(dir, "asked")); string(asked) != "asked\n" {
				t.Errorf("the load was asked %q (%v)", asked, err)
			}
		})
	}
}

// Who interrupts again is heard: the load is asked harder each time, that is
// said, and the run is sealed all the same.
func TestCaptureInterruptedAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd, talk := begun(t, dir, "capture", "--out", "run", "--", "sh", "-c", `trap '' INT; trap 'echo asked >> asked' TERM; : > began; while :; do sleep 0.1; done`)
	for range 3 {
		interrupt(t, cmd, syscall.SIGINT)
		time.Sleep(samePress + 200*time.Millisecond)
	}
	cmd.Wait()
	m := opened(t, filepath.Join(dir, "run")).Manifest()
	if m.State != runs.Sealed || cmd.ProcessState.ExitCode() != 137 {
		t.Errorf("state %s, %s", m.State, cmd.ProcessState)
	}
	if asked, err := os.ReadFile(filepath.Join(dir, "asked")); string(asked) != "asked\n" {
		t.Errorf("the load got SIGTERM: %q (%v)", asked, err)
	}
	for _, want := range []string{"asked to end (SIGINT)", "gets SIGTERM", "is killed", "status 137"} {
		if !strings.Contains(talk.String(), want) {
			t.Errorf("%q is not said: %s", want, talk)
		}
	}
}

// A command that records nothing ends at once when it is interrupted again, and
// says so; one that takes it upon itself is told. Signals within a second are one.
func TestInterruptedAgain(t *testing.T) {
	for name, c := range map[string]struct {
		taken bool
		after []time.Duration // of each signal, since the one before
		told  int
		ended []int
	}{
		"once":                  {after: []time.Duration{0}},
		"twice at once":         {after: []time.Duration{0, 0, samePress - 1}},
		"again":                 {after: []time.Duration{0, samePress}, ended: []int{130}},
		"again, and taken":      {taken: true, after: []time.Duration{0, samePress, 0}, told: 1},
		"again and again":       {taken: true, after: []time.Duration{0, samePress, 0, samePress}, told: 2},
		"slowly, one after one": {taken: true, after: []time.Duration{0, samePress / 2, samePress / 2}, told: 1},
	} {
		ctx, cancel := context.WithCancel(context.Background())
		var ended []int
		var talk bytes.Buffer
		at, times := time.Unix(1, 0), make(chan time.Time, len(c.after))
		signals := make(chan os.Signal)
		i := &interrupts{ctx: ctx, cancel: cancel, again: make(chan struct{}, 9), talk: &talk,
			now: func() time.Time { return <-times }, exit: func(status int) { ended = append(ended, status) }}
		i.taken.Store(c.taken)
		over := make(chan struct{})
		go func() { i.listen(signals); close(over) }()
		for _, d := range c.after {
			at = at.Add(d)
			times <- at
			signals <- syscall.SIGINT
		}
		close(signals)
		<-over
		if ctx.Err() == nil || len(i.again) != c.told || !slices.Equal(ended, c.ended) || (talk.Len() > 0) != (len(ended) > 0) {
			t.Errorf("%s: told %d times, ended %v, says %q", name, len(i.again), ended, talk.String())
		}
	}
}

// Whoever watched a recording may go away; the recording goes on.
func TestCaptureUnwatched(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd := headroomIn(t, dir, "capture", "--out", "run", "--", "sh", "-c", `for i in 1 2 3 4 5; do echo $i; sleep 0.1; done; exit 5`)
	watched, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	io.ReadFull(watched, make([]byte, 1))
	watched.Close()
	cmd.Wait()
	if m := opened(t, filepath.Join(dir, "run")).Manifest(); m.State != runs.Sealed || cmd.ProcessState.ExitCode() != 5 {
		t.Errorf("state %s, %s", m.State, cmd.ProcessState)
	}
}
