package conform

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// An Outcome is the result of a run.
type Outcome struct {
	Report    *finding.Report
	Revisions []string // the tested ones
	// tools that were not called, and prompts that were not requested, each with the reason in parentheses
	NotCalled, NotRequested []string
	Areas                   []Area

	// the server wrote something that is not a message to stdout while a call was in progress
	PrintsInCalls bool
	Silent        int // tools that were called in a revision, if none of them responded in time

	OneAtATime string // "process" or "session" if the server allows one at a time: the checks ran one after the other
	Auth       bool   // only authorization was checked: [Options.Auth]
	Requests   int    // that were sent, in a run with [Options.Auth]
	Score      int    // 0 to 100
	Grade      string // A to F
}

// RevisionsText names revisions, for display.
func RevisionsText(revisions []string) string {
	if len(revisions) == 1 {
		return "revision " + revisions[0]
	}
	return "revisions " + strings.Join(revisions, ", ")
}

// A RevisionError means that the server does not support the requested revision.
type RevisionError struct{ Asked, Spoken string }

// Error names both revisions.
func (e *RevisionError) Error() string {
	return fmt.Sprintf("server does not support %s; it returned %s", e.Asked, e.Spoken)
}

// Run tests the server. An error means that there is nothing to test: it cannot be reached, or does not support the
// requested revision. A server that fails during the run is graded by the checks that finished.
func Run(ctx context.Context, target wire.Target, options *Options) (*Outcome, error) {
	r := &run{opts: options.filled(), target: target, started: time.Now()}
	r.checks = r.opts.selected()
	r.processes.allow = r.opts.Processes
	bounded, cancel := context.WithTimeoutCause(ctx, r.opts.Within, errTimeLimit)
	defer cancel()
	rounds, err := r.rounds(bounded)
	if err != nil {
		return nil, err
	}
	rounds[0].findProcesses(bounded)
	for _, round := range rounds {
		round.trySecondClient(bounded)
	}
	if r.target.Grace == 0 && !r.processes.one() {
		r.target.Grace = closeGrace // of every further process: there are many
	}
	r.total = len(rounds) * len(r.checks)
	for _, round := range rounds {
		round.runChecks(bounded)
	}
	for _, round := range rounds {
		round.close()
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return r.outcome(rounds), nil
}

// closeGrace is how long each step of stopping a process may take: there are many processes, and a separate check tests
// whether they exit on their own.
const closeGrace = 500 * time.Millisecond

var errTimeLimit = errors.New("time limit reached")

// A run is one test run of one server.
type run struct {
	opts    Options
	target  wire.Target
	checks  []*Check
	started time.Time
	count   progress
	total   int
	calls   callLimit

	processes processes
	paced     *authClient // of a run with [Options.Auth]
}

// rounds opens a session for each revision to test.
func (r *run) rounds(ctx context.Context) ([]*revisionRun, error) {
	if r.opts.Auth != nil {
		r.paced = newAuthClient(r.target, &r.opts)
		return []*revisionRun{r.authRound()}, nil
	}
	if r.opts.Protocol != All {
		one, err := r.connect(ctx, r.opts.Protocol)
		if err != nil {
			return nil, err
		}
		if spoken := one.revision.ID; r.opts.Protocol != mcp.Auto && spoken != r.opts.Protocol {
			one.close()
			return nil, &RevisionError{Asked: r.opts.Protocol, Spoken: spoken}
		}
		return []*revisionRun{one}, nil
	}
	var all []*revisionRun
	var first error
	for _, id := range slices.Backward(spec.IDs()) {
		one, err := r.connect(ctx, id)
		switch {
		case err != nil && first == nil:
			first = err
		case err != nil:
		case one.revision.ID != id:
			one.close()
		default:
			all = append(all, one)
		}
	}
	if len(all) == 0 {
		return nil, first
	}
	return all, nil
}

// connect opens the first session of a round. Its revision is the one that the server selected.
func (r *run) connect(ctx context.Context, protocol string) (*revisionRun, error) {
	one := newRound(r, protocol)
	s, err := one.open(ctx, "shared", nil)
	if one.refused(err) {
		return one, nil
	}
	if err != nil {
		return nil, err
	}
	spoken := s.Version
	if s.Era == spec.Modern && protocol != mcp.Auto && !speaksModern(s) {
		// it responded to server/discover, but not with a revision from 2026-07-28 on
		spoken = "a revision up to 2025-11-25"
	}
	one.settle(s, spoken)
	return one, nil
}

// refused reports whether an error means that the server requires authorization. Then only that is tested, in the
// requested revision or the newest.
func (r *revisionRun) refused(err error) bool {
	var status *wire.StatusError
	if !errors.As(err, &status) || status.Status != http.StatusUnauthorized {
		return false
	}
	r.locked = true
	known, ok := spec.Find(r.protocol)
	if !ok {
		known = spec.Newest()
	}
	r.revision, r.protocol = known, known.ID
	return true
}

// speaksModern reports whether a server that responded to server/discover supports the revision.
func speaksModern(s *mcp.Session) bool {
	return s.Handshake != nil && s.Handshake.Reply != nil && s.Handshake.Reply.Error == nil &&
		strings.Contains(string(At(s.Handshake.Reply.Result, "/supportedVersions")), s.Version)
}

// outcome combines the results of all rounds.
func (r *run) outcome(rounds []*revisionRun) *Outcome {
	report := &finding.Report{Engine: "conform", Target: r.target.String(), Version: r.opts.Version, Started: r.started}
	out := &Outcome{Report: report}
	for _, round := range rounds {
		out.Revisions = append(out.Revisions, round.revision.ID)
		out.Silent = max(out.Silent, int(round.silent.Load()))
	}
	out.NotCalled, out.NotRequested = notCalled(rounds), notRequested(rounds)
	if r.processes.one() {
		out.OneAtATime = r.unit()
	}
	out.PrintsInCalls = printsInCalls(rounds)
	for i, c := range r.checks {
		report.Rules = append(report.Rules, c.Rule)
		report.Results = append(report.Results, merge(rounds, i, r.opts.Severity))
	}
	for _, left := range []struct {
		name  string
		items []string
	}{{"tools that were not called", out.NotCalled}, {"prompts that were not requested", out.NotRequested}} {
		if len(left.items) > 0 {
			report.Results = append(report.Results, finding.Result{Name: left.name, Skipped: strings.Join(left.items, ", ")})
		}
	}
	if out.OneAtATime != "" {
		report.Results = append(report.Results, finding.Result{Name: "checks at the same time",
			Skipped: "the server allows one " + r.unit() + " at a time: the checks ran one after the other"})
	}
	if r.paced != nil {
		out.Auth, out.Requests = true, r.paced.sent()
	}
	out.grade()
	return out
}
