package capture

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// userHZ is the unit of CPU times in /proc, 1/s: USER_HZ, which is 100 on every
// architecture that Go runs on.
const userHZ = 100

// processTable reads /proc/[pid]/stat of all processes. It is the agent's
// dearest look, one file a process and second, so that it reads by plain system
// calls into one buffer, where everything else goes through procfs.
type processTable struct {
	root string
	buf  [4096]byte
	now  []processTime
}

// read returns the processes as they are now; valid until the next call. One
// that ends meanwhile is left out.
func (t *processTable) read() ([]processTime, error) {
	dir, err := os.Open(t.root)
	if err != nil {
		return nil, err
	}
	names, err := dir.Readdirnames(-1)
	dir.Close()
	if err != nil {
		return nil, err
	}
	t.now = t.now[:0]
	for _, name := range names {
		if name[0] < '1' || name[0] > '9' {
			continue
		}
		text, err := t.file(t.root + "/" + name + "/stat")
		if err != nil {
			continue
		}
		if p, err := parseProcessStat(text); err == nil {
			t.now = append(t.now, p)
		}
	}
	return t.now, nil
}

func (t *processTable) file(path string) ([]byte, error) {
	fd, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer syscall.Close(fd)
	n, err := syscall.Read(fd, t.buf[:])
	return t.buf[:max(n, 0)], err
}

// Fields of /proc/[pid]/stat behind the name, which is in parentheses and may
// hold any character (proc_pid_stat(5)): the state is the first of them.
const (
	statParent       = 1
	statUser         = 11
	statSystem       = 12
	statChildUser    = 13
	statChildSystem  = 14
	statStart        = 19
	statResident     = 21
	statFieldsNeeded = 22
)

// parseProcessStat reads the line of a process.
func parseProcessStat(text []byte) (p processTime, err error) {
	open, end := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
	if open < 1 || end < open {
		return p, fmt.Errorf("%.40q is no line of a process", text)
	}
	f := bytes.Fields(text[end+1:])
	if len(f) < statFieldsNeeded {
		return p, fmt.Errorf("%d fields behind the name, want %d", len(f), statFieldsNeeded)
	}
	number := func(b []byte) int64 {
		n, e := strconv.ParseInt(string(b), 10, 64)
		if e != nil && err == nil {
			err = e
		}
		return n
	}
	p = processTime{
		pid: int(number(bytes.TrimSpace(text[:open]))), name: string(text[open+1 : end]), parent: int(number(f[statParent])),
		start:    uint64(number(f[statStart])),
		own:      float64(number(f[statUser])+number(f[statSystem])) / userHZ,
		children: float64(number(f[statChildUser])+number(f[statChildSystem])) / userHZ,
		rss:      number(f[statResident]) * int64(os.Getpagesize()),
	}
	return p, err
}
