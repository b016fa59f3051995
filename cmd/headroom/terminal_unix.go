//go:build linux || darwin

package main

import (
	"os"
	"syscall"
	"unsafe"
)

// columns asks the terminal behind f for its width (TIOCGWINSZ, see
// ioctl_tty(2)); 0 if f is no terminal.
func columns(f *os.File) int {
	var size struct{ rows, columns, x, y uint16 }
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	if errno != 0 {
		return 0
	}
	if size.columns == 0 { // a terminal that does not know its size
		return 80
	}
	return int(size.columns)
}
