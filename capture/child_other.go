//go:build !linux

package capture

import "syscall"

// ownGroup makes the command a process group of its own. It goes on when this
// process dies without ending it.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
