package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

// samePress is how long after a signal another one is taken for the same wish: a
// terminal and `timeout` send it to the process and to its group, and both reach
// us.
const samePress = time.Second

// interrupts turns the signals by which a user ends a process into the end of a
// context. A later one, unless somebody took it upon himself to answer (outlive),
// ends the process at once, and says so.
type interrupts struct {
	ctx    context.Context
	cancel context.CancelFunc
	again  chan struct{}
	taken  atomic.Bool
	now    func() time.Time
	exit   func(status int)
	talk   io.Writer
}

func newInterrupts() *interrupts {
	i := &interrupts{again: make(chan struct{}, 1), now: time.Now, exit: os.Exit, talk: os.Stderr}
	i.ctx, i.cancel = context.WithCancel(context.Background())
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup
		signal.Notify(signals, syscall.SIGHUP)
	}
	go i.listen(signals)
	return i
}

func (i *interrupts) listen(signals <-chan os.Signal) {
	var last time.Time
	for s := range signals {
		now := i.now()
		switch {
		case last.IsZero():
			i.cancel()
		case now.Sub(last) < samePress:
			continue
		case !i.taken.Load():
			fmt.Fprintln(i.talk, "headroom: interrupted again: ended at once")
			i.exit(128 + int(s.(syscall.Signal)))
		default:
			select {
			case i.again <- struct{}{}:
			default: // it has not answered the one before yet
			}
		}
		last = now
	}
}

// outlive makes the process go on when it is interrupted again, and when nobody
// reads what it prints any more; what is returned tells of each further
// interrupt. A signal that is ignored would be ignored by the processes that are
// started, too; one that is listened to is not.
func (i *interrupts) outlive() <-chan struct{} {
	i.taken.Store(true)
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return i.again
}
