package golden

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// recorder is a test that only notes what it was told.
type recorder struct {
	testing.TB
	said string
}

func (r *recorder) Helper()                   {}
func (r *recorder) Errorf(f string, a ...any) { r.said += fmt.Sprintf(f, a...) }
func (r *recorder) Fatalf(f string, a ...any) { r.Errorf(f, a...); runtime.Goexit() }
func (r *recorder) Fatal(a ...any)            { r.said += fmt.Sprint(a...); runtime.Goexit() }

func TestEqual(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "case.md")
	compare := func(got string) string {
		r, done := &recorder{TB: t}, make(chan struct{})
		go func() {
			defer close(done)
			Equal(r, path, []byte(got))
		}()
		<-done
		return r.said
	}
	if said := compare("a\n"); !strings.Contains(said, "-update") {
		t.Errorf("an absent golden: %q", said)
	}
	*update = true
	said := compare("a\nb\n")
	*update = false
	if said != "" {
		t.Errorf("updating: %q", said)
	}
	if said := compare("a\nb\n"); said != "" {
		t.Errorf("the same text: %q", said)
	}
	if said := compare("a\nc\n"); !strings.Contains(said, "-want +got") {
		t.Errorf("another text: %q", said)
	}
}
