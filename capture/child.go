package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// killAfter is how long a command that shall end, and was asked to (SIGINT), has
// before it is forced to.
const killAfter = 10 * time.Second

// child is the load command.
type child struct {
	cmd    *exec.Cmd
	stdout *keptHead
	done   chan struct{} // closed when it has ended
	status int
	err    error
}

// keptHead passes output on and keeps its beginning, in which a generator may
// say what it did.
type keptHead struct {
	mu   sync.Mutex
	to   io.Writer
	head bytes.Buffer
}

// headMost is how much of the command's standard output is kept.
const headMost = 1 << 20

func (k *keptHead) Write(b []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.head.Write(b[:min(len(b), headMost-k.head.Len())])
	if k.to != nil {
		k.to.Write(b) // whoever watches may have gone away; the load goes on
	}
	return len(b), nil
}

// startChild starts the command. Its two streams share one place to go to. It is
// a process group of its own, so that what it starts ends with it, and Ctrl-C
// reaches it once: load generators take a second one as an order to drop all.
//
// It is told when this process dies (see ownGroup). The kernel takes the end of
// the thread that forked for the death of the parent, so that this thread waits
// for the command and does nothing else.
func startChild(o *Options, words []string) (*child, error) {
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin = o.Dir, o.Env, o.Stdin
	cmd.SysProcAttr = ownGroup()
	out := &keptHead{to: o.Output}
	cmd.Stdout = out
	cmd.Stderr = &keptHead{to: o.Output}
	cmd.WaitDelay = killAfter // grandchildren may hold the streams open
	c := &child{cmd: cmd, stdout: out, done: make(chan struct{})}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			c.status, c.err = exitStatus(cmd.Wait())
			close(c.done)
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return c, nil
}

// exitStatus returns what a shell would call the exit status: 128 and the
// number of the signal, for a process that one ended.
func exitStatus(err error) (int, error) {
	var exit *exec.ExitError
	switch {
	case err == nil || errors.Is(err, exec.ErrWaitDelay):
		return 0, nil
	case !errors.As(err, &exit):
		return -1, err
	}
	if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal()), nil
	}
	return exit.ExitCode(), nil
}

// wait waits until the command has ended. When ctx is done, or stop closed, it
// is ended: asked at first, and asked harder each time that again says so.
func (c *child) wait(ctx context.Context, stop, again <-chan struct{}, tell func(text string)) {
	select {
	case <-c.done:
		return
	case <-ctx.Done():
		tell("interrupted: the command is asked to end (SIGINT), then the run is sealed; interrupt again to insist")
	case <-stop:
	}
	c.signal(syscall.SIGINT)
	late := time.After(killAfter)
	for asked := false; ; asked = true {
		select {
		case <-c.done:
			return
		case <-again:
			if !asked {
				tell("interrupted again: the command gets SIGTERM; once more kills it")
				c.signal(syscall.SIGTERM)
				continue
			}
			tell("interrupted again: the command is killed")
		case <-late:
			tell(fmt.Sprintf("the command did not end within %s of SIGINT: it is killed", killAfter))
		}
		c.signal(syscall.SIGKILL)
		<-c.done
		return
	}
}

// signal reaches the command and what it has started.
func (c *child) signal(s syscall.Signal) { syscall.Kill(-c.cmd.Process.Pid, s) }

// ended reports whether the command has ended.
func (c *child) ended() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// statusText says how the command ended.
func (c *child) statusText() string {
	if c.err != nil {
		return fmt.Sprintf("the command could not be waited for: %v", c.err)
	}
	return fmt.Sprintf("the command ended with status %d", c.status)
}
