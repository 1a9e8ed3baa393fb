package fuzz

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/growth"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// Limits on failures of a server before a run ends: it always ends in time.
const (
	maxHangs   = 3   // timeouts of one tool, after which it is skipped
	maxSilence = 12  // of all tools, after which the run ends
	maxDeaths  = 30  // crashes caused by one tool, after which it is skipped
	maxEnds    = 300 // of all tools, after which the run ends
	maxOpens   = 4   // attempts to start a server that fails to start
	maxPause   = 250 * time.Millisecond
	maxSpent   = 10 * time.Second       // on a slow tool, after which it is skipped, unless it was selected
	slowCall   = 500 * time.Millisecond // a tool with this response time is slow
)

// A failureCounts counts the failures of a server so far.
type failureCounts struct {
	silent int // calls without a response
	deaths int // calls that crashed the server
	streak int // consecutive sessions that ended before a response
}

func (t failureCounts) enough() bool { return t.silent >= maxSilence || t.deaths >= maxEnds }

// isSkipped reports whether a tool caused too many failures to continue with it.
func (s *fuzzTarget) isSkipped() bool {
	return s.hangs >= maxHangs || s.deaths >= maxDeaths || s.tires || s.spentCalls()
}

// spentCalls reports whether the tool must not be called again.
func (s *fuzzTarget) spentCalls() bool { return s.most > 0 && s.sent >= s.most }

// slow reports whether responses of the tool took so long that it delays the others.
func (s *fuzzTarget) slow() bool {
	return s.spent >= maxSpent && s.spent >= time.Duration(s.latency.answers)*slowCall
}

// skipSlow skips a slow tool, because the user is waiting for the findings in the others. A tool that was selected is
// not skipped, and with a time limit the user has chosen how long a run may take.
func (r *runner) skipSlow(t *fuzzTarget) {
	if t.isSkipped() || !t.slow() || len(r.opts.Tools) > 0 || r.opts.Cases == anyCases {
		return
	}
	t.tires = true
	r.skipped[t.name] = fmt.Sprintf("stopped early: %d calls took %v; use --tool to run all cases", t.latency.answers,
		t.spent.Round(time.Second))
}

// count records a call without a response, and why a tool is skipped from now on.
func (r *runner) count(t *fuzzTarget, s *observation) {
	switch {
	case s.Late:
		t.hangs++
		r.failures.silent++
	case s.Err != nil:
		t.deaths++
		r.failures.deaths++
		r.failures.streak++
	}
	if t.isSkipped() {
		r.skipped[t.name] = fmt.Sprintf("skipped after %d calls without a response", t.hangs+t.deaths)
	}
	if r.failures.enough() {
		r.ended = fmt.Sprintf("%d calls timed out, and %d crashed the server", r.failures.silent, r.failures.deaths)
	}
}

// fresh opens a new session that replaces the old one. A server that crashed immediately, or does not start, is given
// time.
func (r *runner) fresh(ctx context.Context) error {
	first := r.session == nil && r.done == 0
	r.close()
	for try := range maxOpens {
		if err := rest(ctx, r.failures.streak+try); err != nil {
			return err
		}
		began := time.Now()
		s, err := r.opts.Open(ctx)
		if err == nil {
			r.regained()
			r.starting = time.Since(began)
			if r.listed != nil {
				s.Learn(r.listed) // which arguments are repeated in headers
			}
			r.session, r.history, r.usage, r.unanswered = s, nil, growth.Samples{}, false
			r.revision, _ = spec.Find(s.Version)
			r.fineMeta, r.warmup.cold, r.unused = "", true, true
			return nil
		}
		r.unanswerable(err)
		if first || ctx.Err() != nil || try == maxOpens-1 {
			return err
		}
	}
	return errors.New("cannot restart the server")
}

// rest waits longer after each consecutive failure.
func rest(ctx context.Context, times int) error {
	if times == 0 {
		return ctx.Err()
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(min(time.Millisecond<<min(times, 20), maxPause)):
		return nil
	}
}

func (r *runner) close() {
	if r.session != nil {
		_ = r.session.Close() // it may already be closed
		r.session = nil
	}
}
