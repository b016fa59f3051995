package capture

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"syscall"
)

// userHZ is the unit of CPU times in /proc, 1/s: USER_HZ, which is 100 on every
// architecture that Go runs on.
const userHZ = 100

// processTable reads /proc/[pid]/stat of all processes. It is the agent's
// dearest look, one file a process and second. So the files stay open, and are
// read again from their beginning by plain system calls into one buffer, where
// everything else goes through procfs. A file belongs to its process, not to the
// number: that of one that ended cannot be read again, whoever has the number now.
type processTable struct {
	root string
	dir  *os.File
	buf  [4096]byte
	now  []processTime
	kept map[int]*keptProcess // by pid
	most int                  // how many files may stay open
	look int
}

// keptProcess is a process whose file is open.
type keptProcess struct {
	fd   int
	look int // at which it was there last
	last processTime
}

// How many files stay open, at most; the rest is opened each time.
const (
	keptMost  = 1024
	keptShare = 4 // of the files that this process may have open: a quarter
)

// kernelThreadLooks is at which look a kernel thread that is in no group is read
// again. Half of all processes are such, and only what they used is of no use:
// what matters is whether one has gone and its number is another's.
const kernelThreadLooks = 10

// read returns the processes as they are now; valid until the next call. One
// that ends meanwhile is left out. A kernel thread that is settled, that is in no
// group, is as it was up to ten looks ago.
func (t *processTable) read(settled func(processKey) bool) ([]processTime, error) {
	names, err := t.names()
	if err != nil {
		return nil, err
	}
	t.now = t.now[:0]
	t.look++
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if k := t.kept[pid]; k != nil && k.last.kernel && (t.look+pid)%kernelThreadLooks != 0 && settled(k.last.key()) {
			k.look = t.look
			t.now = append(t.now, k.last)
		} else if p, ok := t.process(pid, name); ok {
			t.now = append(t.now, p)
		}
	}
	for pid, k := range t.kept {
		if k.look != t.look {
			t.drop(pid, k)
		}
	}
	return t.now, nil
}

// names lists the folder, which stays open too.
func (t *processTable) names() ([]string, error) {
	if t.dir == nil {
		dir, err := os.Open(t.root)
		if err != nil {
			return nil, err
		}
		t.dir, t.kept, t.most = dir, map[int]*keptProcess{}, keptMost
		var limit syscall.Rlimit
		if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err == nil && limit.Cur/keptShare < keptMost {
			t.most = int(limit.Cur / keptShare)
		}
	}
	if _, err := t.dir.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return t.dir.Readdirnames(-1)
}

// process reads one process.
func (t *processTable) process(pid int, name string) (p processTime, ok bool) {
	if k := t.kept[pid]; k != nil {
		if n, err := syscall.Pread(k.fd, t.buf[:], 0); err == nil && n > 0 {
			p, err := parseProcessStat(t.buf[:n])
			k.look, k.last = t.look, p
			return p, err == nil
		}
		t.drop(pid, k) // it has ended; the number may be another's
	}
	fd, err := syscall.Open(t.root+"/"+name+"/stat", syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return p, false
	}
	n, err := syscall.Pread(fd, t.buf[:], 0)
	if err == nil {
		p, err = parseProcessStat(t.buf[:max(n, 0)])
	}
	if err != nil || len(t.kept) >= t.most {
		syscall.Close(fd)
		return p, err == nil
	}
	t.kept[pid] = &keptProcess{fd, t.look, p}
	return p, true
}

func (t *processTable) drop(pid int, k *keptProcess) {
	syscall.Close(k.fd)
	delete(t.kept, pid)
}

// close closes all files; read opens them again.
func (t *processTable) close() {
	for pid, k := range t.kept {
		t.drop(pid, k)
	}
	if t.dir != nil {
		t.dir.Close()
		t.dir = nil
	}
}

// Fields of /proc/[pid]/stat behind the name, which is in parentheses and may
// hold any character (proc_pid_stat(5)): the state is the first of them.
const (
	statParent       = 1
	statFlags        = 6
	statUser         = 11
	statSystem       = 12
	statChildUser    = 13
	statChildSystem  = 14
	statStart        = 19
	statResident     = 21
	statFieldsNeeded = 22
)

// kernelThread is the flag of a process that is a thread of the kernel
// (PF_KTHREAD of include/linux/sched.h).
const kernelThread = 0x00200000

// parseProcessStat reads the line of a process.
func parseProcessStat(text []byte) (p processTime, err error) {
	open, end := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
	if open < 1 || end < open {
		return p, fmt.Errorf("%.40q is no line of a process", text)
	}
	var f [statFieldsNeeded][]byte
	n := 0
	for field := range bytes.FieldsSeq(text[end+1:]) {
		if f[n] = field; n == statFieldsNeeded-1 {
			break
		}
		n++
	}
	if f[statFieldsNeeded-1] == nil {
		return p, fmt.Errorf("%d fields behind the name, want %d", n, statFieldsNeeded)
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
		kernel:   number(f[statFlags])&kernelThread != 0,
	}
	return p, err
}
