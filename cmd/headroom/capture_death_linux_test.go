package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A load whose recorder is killed is told to end: nobody records it any more.
// What it had begun itself is not told, and the run says how to end that.
func TestCaptureKilledEndsTheLoad(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd, talk := begun(t, dir, "capture", "--out", "run", "--", "sh", "-c", `echo $$ > pid; trap 'echo told >> told; exit' TERM; : > began; while :; do sleep 0.1; done`)
	time.Sleep(5 * time.Second) // over a flush
	cmd.Process.Kill()
	cmd.Wait()
	text, err := os.ReadFile(filepath.Join(dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid := strings.TrimSpace(string(text))
	await(t, "the load has ended", func() bool {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		return err != nil || strings.Contains(string(stat), ") Z ")
	})
	if told, err := os.ReadFile(filepath.Join(dir, "told")); string(told) != "told\n" {
		t.Errorf("the load was told %q (%v): %s", told, err, talk)
	}
	out, _, status := answerOf(t, headroomIn(t, dir, "runs", "recover", "run"))
	if status != 0 {
		t.Fatalf("status %d, %s", status, out)
	}
	if notes := strings.Join(opened(t, filepath.Join(dir, "run")).Manifest().Notes, "; "); !strings.Contains(notes, fmt.Sprintf("kill -- -%s", pid)) {
		t.Errorf("the run does not say how to end what is left of the load: %q", notes)
	}
}
