package conform

import (
	"cmp"
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/golden"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

// calm is a run against servers that are on our side of the wire.
func calm(revision string, rules ...string) *Options {
	return &Options{Protocol: revision, Rules: rules, Permit: safety.Permit{All: true}, Quiet: 50 * time.Millisecond,
		Timeout: 20 * time.Second, AllowDisruptive: true}
}

// running bounds how many runs there are at a time, so that none waits for the processor for as long as it would wait
// for a server.
var running = make(chan struct{}, 4)

// judged runs checks. A server in this process is judged by a clock that stands while anybody works: how long it is
// silent does not depend on how busy the machine is, and waiting for it costs no time.
func judged(t *testing.T, target wire.Target, options *Options) (out *Outcome, err error) {
	t.Helper()
	running <- struct{}{}
	defer func() { <-running }()
	if target.Serve == nil {
		return Run(context.Background(), target, options)
	}
	synctest.Test(t, func(*testing.T) { out, err = Run(context.Background(), target, options) })
	return out, err
}

// TestClean runs every check on the clean server, in each revision and over each transport: nothing is found, nothing
// breaks, and each check has passed somewhere.
func TestClean(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	passed := map[string]bool{}
	t.Run("runs", func(t *testing.T) {
		for _, revision := range revisionsOf(&Check{}) {
			for _, place := range []Transports{OnPipe, OnHTTP} {
				if place == OnHTTP && revision == "2024-11-05" {
					continue // it has another transport
				}
				t.Run(revision+" "+place.String(), func(t *testing.T) {
					t.Parallel()
					out, err := judged(t, mutant{}.target(t, "", place), calm(revision))
					if err != nil {
						t.Fatal(err)
					}
					if got := shown(out.Report.Findings()); got != "" {
						t.Errorf("the clean server is found wrong:\n%s", got)
					}
					mu.Lock()
					defer mu.Unlock()
					for _, r := range out.Report.Results {
						if r.Broken != "" {
							t.Errorf("%s is broken: %s", r.Rule, r.Broken)
						}
						passed[r.Rule] = passed[r.Rule] || r.Status() == finding.Passed
					}
				})
			}
		}
	})
	for _, c := range Checks() {
		if !passed[c.ID] && !elsewhere(c) {
			t.Errorf("%s has passed on the clean server in no revision and over no transport", c.ID)
		}
	}
}

// elsewhere tells checks whose clean server is another one than the exemplar, a process of its own, or one with a slow tool, a tool that
// fetches pages, takes large integers, promises an order, or has a template with two variables.
func elsewhere(c *Check) bool {
	return c.Family() == "AUTH" || slices.Contains([]string{"STDIO-002", "STDIO-011", "RPC-025", "TOOL-048", "TOOL-060", "TOOL-061",
		"TOOL-062", "TOOL-064", "TOOL-065", "COMP-007", "CANCEL-005"}, c.ID)
}

// TestCleanProcess runs the checks of standard streams on the clean server as a process of its own.
func TestCleanProcess(t *testing.T) {
	t.Parallel()
	target := mutant{process: true}.target(t, "", OnPipe)
	target.Grace = 20 * time.Second // a busy machine is no fault of the server's
	out, err := Run(context.Background(), target, calm("2025-11-25", "STDIO"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range out.Report.Results {
		if r.Rule == "STDIO-011" && runtime.GOOS != "linux" {
			continue // it is not seen there
		}
		if r.Status() != finding.Passed {
			t.Errorf("%s: %s %s%s", r.Rule, r.Status(), r.Broken+r.Skipped, shown(r.Findings))
		}
	}
}

// TestMutants runs each check on the servers that break its rule: it finds them in every revision that it is for, and
// no other check does unless the mutant says so.
func TestMutants(t *testing.T) {
	t.Parallel()
	for _, c := range Checks() {
		all := mutants()[c.ID]
		if c.ID == "STDIO-011" && runtime.GOOS != "linux" {
			continue // it is not seen there
		}
		if c.Auth != 0 {
			continue // see TestAuthFaults
		}
		if len(all) == 0 {
			t.Errorf("%s has no mutant", c.ID)
		}
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			testMutants(t, c, all)
		})
	}
}

// A trial is one mutant in one revision over one transport.
type trial struct {
	m        mutant
	place    Transports
	revision string
	said     string
}

func testMutants(t *testing.T, c *Check, all []mutant) {
	trials := trialsOf(c, all)
	if raced { // the last revision has all the concurrency that there is, and a full run on each mutant adds none
		last := trials[len(trials)-1]
		caught(t, c, last.m, last.place, last.revision)
		return
	}
	var group sync.WaitGroup
	for i := range trials {
		one := &trials[i]
		group.Go(func() { one.said = caught(t, c, one.m, one.place, one.revision) })
		if i == len(trials)-1 || trials[i+1].m.name != one.m.name { // once for each, in the newest revision
			group.Go(func() { innocent(t, c, one.m, one.place, one.revision) })
		}
	}
	group.Wait()
	golden.Check(t, filepath.Join("testdata", "mutants", c.ID+".txt"), mutantFile(trials), *update)
}

// trialsOf lists what is to be tried, mutant by mutant and transport by transport, the newest revision last.
func trialsOf(c *Check, all []mutant) []trial {
	var trials []trial
	for _, m := range all {
		revisions := m.only
		if revisions == nil {
			revisions = revisionsOf(c)
		}
		for _, place := range placesOf(c) {
			if m.on != 0 && m.on&place == 0 {
				continue
			}
			if place != placesOf(c)[0] {
				revisions = revisions[len(revisions)-1:] // one revision shows that the transport makes no difference
			}
			for _, revision := range revisions {
				if place == OnHTTP && (m.process || revision == "2024-11-05") {
					continue // it has another transport
				}
				trials = append(trials, trial{m: m, place: place, revision: revision})
			}
		}
	}
	return trials
}

// golden tells what was found, once for those that found the same.
func mutantFile(trials []trial) string {
	var b strings.Builder
	for i, one := range trials {
		same := func(o trial) bool { return o.m.name == one.m.name && o.place == one.place && o.said == one.said }
		if slices.ContainsFunc(trials[:i], same) {
			continue
		}
		b.WriteString("# " + one.m.name + ", " + one.place.String() + ",")
		for _, other := range trials[i:] {
			if same(other) {
				b.WriteString(" " + other.revision)
			}
		}
		b.WriteString("\n" + one.said)
	}
	return b.String()
}

// caught runs the check on its mutant and returns what it says.
func caught(t *testing.T, c *Check, m mutant, place Transports, revision string) string {
	t.Helper()
	opts := calm(revision, append(slices.Clone(m.with), c.ID)...)
	opts.Timeout = cmp.Or(m.patience, opts.Timeout)
	out, err := judged(t, m.target(t, c.ID, place), opts)
	if err != nil {
		t.Errorf("%s over %s in %s: %v", m.name, place, revision, err)
		return ""
	}
	findings := slices.DeleteFunc(out.Report.Findings(), func(f finding.Finding) bool { return f.Rule != c.ID })
	if len(findings) == 0 {
		t.Errorf("%s over %s in %s is not caught: %+v", m.name, place, revision, out.Report.Results)
	}
	for _, f := range findings {
		if f.Message == "" || strings.Contains(f.Message, "; want") || strings.HasSuffix(f.Message, ".") {
			t.Errorf("%s %q: expected a fault, or expected A, got B, without a period", f.Rule, f.Message)
		}
		if f.Reproduce == "" {
			t.Errorf("%s has no command that reproduces it", f.Message)
		}
	}
	return shown(findings)
}

// innocent runs every check on the mutant: only its own finds it, and those that it names.
func innocent(t *testing.T, c *Check, m mutant, place Transports, revision string) {
	t.Helper()
	opts := calm(revision)
	opts.Timeout = cmp.Or(m.patience, opts.Timeout)
	if c.ID != "STDIO-007" {
		opts.Skip = []string{"STDIO-007"} // a megabyte each time is dear
	}
	out, err := judged(t, m.target(t, c.ID, place), opts)
	if err != nil {
		t.Errorf("%s over %s in %s: %v", m.name, place, revision, err)
		return
	}
	for _, r := range out.Report.Results {
		if status := r.Status(); (status == finding.Failed || status == finding.Broken) && r.Rule != c.ID &&
			!slices.Contains(m.also, r.Rule) {
			t.Errorf("%s over %s in %s is also found by %s: %s%s", m.name, place, revision, r.Rule, r.Broken,
				shown(r.Findings))
		}
	}
}
