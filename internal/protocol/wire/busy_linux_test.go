package wire

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire/supervise"
)

// A process that works after its input has ended may exit by itself; one that sleeps is terminated when Grace has passed.
func TestBusyProcessHasMoreTimeToExit(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const works = `cat; end=$(($(date +%s) + 2)); while [ $(date +%s) -lt $end ]; do :; done; echo >exited`
	for _, c := range []struct {
		name, script string
		exits        bool
	}{
		{"works", works, true},
		{"sleeps", `cat; sleep 30; echo >exited`, false},
	} {
		for name, supervisor := range map[string][]string{"direct": nil, "supervised": {self, supervise.Command}} {
			t.Run(c.name+" "+name, func(t *testing.T) {
				t.Parallel()
				busy := time.Duration(-1)
				target := Target{Command: []string{"/bin/sh", "-c", c.script}, Dir: t.TempDir(), Supervisor: supervisor,
					Grace: 400 * time.Millisecond, OnBusy: func(d time.Duration) { busy = d }}
				conn := dial(t, target, nil)
				if err := conn.Close(); err != nil {
					t.Fatal(err)
				}
				_, err := os.Stat(filepath.Join(target.Dir, "exited"))
				if exited := err == nil; exited != c.exits || exited && busy < target.Grace {
					t.Errorf("exited by itself: %v, busy for %v", exited, busy)
				}
			})
		}
	}
}
