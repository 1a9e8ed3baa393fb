package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// startUp is how long the first command that people try may take.
const startUp = 50 * time.Millisecond

// TestStartUp builds mcptest and wants `mcptest tools list demo` to be there at once. The best of several runs counts,
// because the others tell what else the machine did.
func TestStartUp(t *testing.T) {
	sources, _ := filepath.Glob("../cmd/mcptest/*.go")
	if len(sources) == 0 {
		t.Skip("left out: there is no cmd/mcptest yet")
	}
	binary := filepath.Join(t.TempDir(), "mcptest")
	if out, err := exec.Command("go", "build", "-o", binary, "../cmd/mcptest").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	var times []time.Duration
	for range 10 {
		cmd := exec.Command(binary, "tools", "list", "demo")
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}
		start := time.Now()
		out, err := cmd.CombinedOutput()
		times = append(times, time.Since(start))
		if err != nil || strings.TrimSpace(string(out)) == "" {
			t.Fatalf("tools list demo: %v\n%s", err, out)
		}
	}
	slices.Sort(times)
	t.Logf("tools list demo: best %v, median %v of %d runs", times[0], times[len(times)/2], len(times))
	if times[0] > startUp {
		t.Errorf("the best run took %v, want at most %v", times[0], startUp)
	}
}
