package capture

import "syscall"

// ownGroup makes the command a process group of its own. When this process dies
// without ending it, by kill -9 say, the command gets SIGTERM, see prctl(2)
// PR_SET_PDEATHSIG: a load that nobody records is nobody's. What it has started
// gets nothing, and a program with rights of its own (setuid) neither.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
