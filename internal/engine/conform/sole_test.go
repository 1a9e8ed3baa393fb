package conform

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire/supervise"
)

// lockedName is the mutant that holds a lock file and exits 0.4 s after the end of its input; lockVariable names the
// file.
const (
	lockedName   = "locked"
	lockVariable = "MCPTEST_LOCK"
)

// playLocked is the clean server with a lock file. It notes a start while another process has the file.
func playLocked() int {
	name := os.Getenv(lockVariable)
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		if log, err := os.OpenFile(name+".refused", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err == nil {
			_, _ = fmt.Fprintln(log, "refused")
			_ = log.Close()
		}
		fmt.Fprintln(os.Stderr, "locked by another process:", err)
		return 1
	}
	_ = file.Close()
	defer os.Remove(name)
	status := mutant{}.server().Main()
	time.Sleep(400 * time.Millisecond)
	return status
}

// A server that allows one process at a time is judged like any other. One start is refused, by which the run learns of
// it.
func TestOneProcess(t *testing.T) {
	t.Parallel()
	protocols := []string{"auto"}
	if os.Getenv("MCPTEST_FULL") != "" {
		protocols = append(protocols, All)
	}
	for _, protocol := range protocols {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			lock := filepath.Join(t.TempDir(), "lock")
			opts := calm(protocol)
			opts.Within = 5 * time.Minute
			out, err := judged(t, wire.Target{Name: "locked", Command: []string{os.Args[0], lock},
				Supervisor: []string{os.Args[0], supervise.Command},
				Env:        []string{mutantVariable + "=" + lockedName, lockVariable + "=" + lock}}, opts)
			if err != nil {
				t.Fatal(err)
			}
			wantOneProcess(t, out)
			refused, _ := os.ReadFile(lock + ".refused")
			if got := strings.Count(string(refused), "\n"); got != 1 {
				t.Errorf("%d starts while another process was running, want 1", got)
			}
			if _, err := os.Stat(lock); err == nil {
				t.Error("the lock file was left: a process was ended before it had the time to exit")
			}
		})
	}
}

// No check on a clean server needs two sessions at a time.
func TestOneSessionAtATime(t *testing.T) {
	t.Parallel()
	opts := calm(All)
	opts.Processes, opts.Within = One, 5*time.Minute
	out, err := judged(t, wire.Target{Name: "clean", Serve: mutant{}.server().Serve}, opts)
	if err != nil {
		t.Fatal(err)
	}
	wantOneProcess(t, out)
}

// wantOneProcess wants a clean server judged with one process at a time, and no check skipped because it needs two.
func wantOneProcess(t *testing.T, out *Outcome) {
	t.Helper()
	if out.OneAtATime != "process" || out.Grade != "A" {
		t.Errorf("grade %s, one at a time: %q, want A and process", out.Grade, out.OneAtATime)
	}
	for _, r := range out.Report.Results {
		if r.Status() == finding.Failed || r.Status() == finding.Broken || strings.HasPrefix(r.Skipped, "the check needs two") {
			t.Errorf("%s %s: %s%s%s", r.Rule, r.Status(), r.Broken, r.Skipped, shown(r.Findings))
		}
	}
}
