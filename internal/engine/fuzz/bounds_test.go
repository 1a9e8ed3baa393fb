package fuzz

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/testservers/planted"
)

func creature(t *testing.T, name string) planted.Creature {
	t.Helper()
	for _, c := range planted.Creatures() {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no creature %q", name)
	return planted.Creature{}
}

// A watched opens sessions and remembers them.
type watched struct {
	mu   sync.Mutex
	all  []*mcp.Session
	open func(context.Context) (*mcp.Session, error)
}

func (w *watched) Open(ctx context.Context) (*mcp.Session, error) {
	s, err := w.open(ctx)
	if err == nil {
		w.mu.Lock()
		w.all = append(w.all, s)
		w.mu.Unlock()
	}
	return s, err
}

// nothingLeft wants every session to be closed.
func (w *watched) nothingLeft(t *testing.T) {
	t.Helper()
	for i, s := range w.all {
		select {
		case <-s.Done():
		default:
			t.Errorf("session %d of %d is still open", i+1, len(w.all))
		}
	}
}

// TestEndsInTime wants a verdict after a handful of calls from servers that never answer or always die.
func TestEndsInTime(t *testing.T) {
	t.Parallel()
	for _, c := range planted.Troublemakers() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			w := &watched{open: openCreature(c)}
			hang := 30 * time.Second // nothing but the end of the server is to be seen
			if silent(c.Rule) {
				hang = 300 * time.Millisecond // each silence takes as long
			}
			result, err := Run(t.Context(), Options{Open: w.Open, May: anyTool, Seed: 1, Cases: 1000, Hang: hang})
			if err != nil {
				t.Fatalf("Run: %v", err)
			}
			if of(result, c.Rule) == nil {
				t.Errorf("got %v, want %s", result.Report.Findings(), c.Rule)
			}
			if got := result.Report.Metrics["cases_run"]; got > maxDeaths {
				t.Errorf("%v cases were made, want at most %d", got, maxDeaths)
			}
			if why := result.Skipped["work"]; !strings.HasPrefix(why, "skipped after ") ||
				!strings.HasSuffix(why, " calls without a response") {
				t.Errorf("left out: %v, want the tool to be set aside", result.Skipped)
			}
			w.nothingLeft(t)
		})
	}
}

// TestSlowIsNoHang wants nothing to be found of servers that are slow, or tell how far they are.
func TestSlowIsNoHang(t *testing.T) {
	t.Parallel()
	for _, c := range planted.Harmless() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			hang := 4 * time.Second
			result, err := Run(t.Context(), Options{Open: openCreature(c), May: anyTool, Seed: 1, Cases: 60,
				Hang: hang})
			if err != nil {
				t.Fatalf("Run: %v", err)
			}
			if found := result.Report.Findings(); len(found) > 0 {
				t.Errorf("got %v, want nothing", found)
			}
		})
	}
}

// TestBeside wants a run to continue beyond its time limit while something else is waited for, and not after that.
func TestBeside(t *testing.T) {
	for _, waited := range []bool{true, false} {
		beside, calls := make(chan struct{}), 0
		result, err := Run(t.Context(), Options{Open: openCreature(creature(t, "accepts a missing argument")), May: anyTool,
			Seed: 1, Cases: 40, Duration: time.Nanosecond, Beside: beside,
			Step: func(int, int, int, string) {
				if calls++; calls == 5 && !waited {
					close(beside)
				}
			}})
		if err != nil {
			t.Fatalf("Run: %v", err)
		}
		if made := result.Report.Metrics["cases_run"]; result.Late == waited || (made == 40) != waited {
			t.Errorf("waited %v: %v of 40 calls, late: %v", waited, made, result.Late)
		}
	}
}

// TestStopped wants what was found so far when a run is stopped, and nothing left behind.
func TestStopped(t *testing.T) {
	w := &watched{open: openCreature(creature(t, "accepts a missing argument"))}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	result, err := Run(ctx, Options{Open: w.Open, May: anyTool, Seed: 1, Cases: 1 << 20,
		Step: func(_, _, findings int, _ string) {
			if findings > 0 {
				cancel()
			}
		}})
	if err != nil {
		t.Fatalf("Run: %v", err)
	}
	if of(result, "FUZZ-004") == nil || !strings.HasPrefix(result.Ended, "interrupted after ") {
		t.Errorf("got %v and %q, want what was found and that it was stopped", result.Report.Findings(), result.Ended)
	}
	w.nothingLeft(t)
}

// TestStoppedOverSuspicion wants no finding of a run that is stopped while it looks again at a call that may only be
// slow.
func TestStoppedOverSuspicion(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	open := openCreature(creature(t, "hang on a path")) // however slow the machine is, that call is slower
	w := &watched{}
	w.open = func(ctx context.Context) (*mcp.Session, error) {
		if len(w.all) > 0 {
			cancel() // another session is opened for a second look alone
		}
		return open(ctx)
	}
	result, err := Run(ctx, Options{Open: w.Open, May: anyTool, Seed: 1, Cases: 60, Hang: 10 * time.Minute})
	if err != nil {
		t.Fatalf("Run: %v", err)
	}
	if found := result.Report.Findings(); len(found) > 0 || result.Ended == "" ||
		!slices.Equal(result.Unsure, []string{"work"}) || !strings.Contains(result.Skipped["work"], "timed out") {
		t.Errorf("got %v, that it ended because %q and left out %v; want nothing, that it was stopped, and that a "+
			"call was silent", found, result.Ended, result.Skipped)
	}
}

// TestSameSeedSameReport wants the same findings, word for word, from two runs.
func TestSameSeedSameReport(t *testing.T) {
	var reports []string
	for range 2 {
		result, err := Run(t.Context(), Options{Open: openCreature(creature(t, "accepts unknown members")),
			May: anyTool, Seed: 3, Cases: 200, Stateful: true})
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(result.Report.Findings())
		if err != nil {
			t.Fatal(err)
		}
		reports = append(reports, string(raw))
	}
	if reports[0] != reports[1] {
		t.Errorf("got %s, want %s", reports[1], reports[0])
	}
}

// TestParserIsTestedLast wants the call that some SDKs never respond to after all others: to confirm the silence takes
// longer than they do.
func TestParserIsTestedLast(t *testing.T) {
	t.Parallel()
	result, err := Run(t.Context(), Options{Open: openCreature(planted.Shallow()), May: anyTool, Seed: 1, Cases: 1_000,
		Hang: 3 * time.Second, Shrink: time.Second})
	if err != nil {
		t.Fatalf("Run: %v", err)
	}
	found := of(result, "FUZZ-002")
	if found == nil {
		t.Fatalf("not found; got %v", result.Report.Findings())
	}
	if all := int(result.Report.Metrics["cases_run"]); found.Cases != all || all < 900 {
		t.Errorf("found at case %d of %d, want the last", found.Cases, all)
	}
}
