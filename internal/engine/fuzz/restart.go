package fuzz

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// Bounds of how much trouble a server may make before a run ends: it always ends in time.
const (
	maxHangs   = 3   // calls of one tool that are not answered, after which it is set aside
	maxSilence = 12  // of all tools, after which the run ends
	maxDeaths  = 30  // calls of one tool that end the server, after which it is set aside
	maxEnds    = 300 // of all tools, after which the run ends
	maxOpens   = 4   // attempts to start a server that does not start
	maxPause   = 250 * time.Millisecond
	maxSpent   = 10 * time.Second       // on a tool that is slow, after which it is set aside, unless it was named
	slowCall   = 500 * time.Millisecond // a tool whose answers take as long is slow
)

// A trouble counts what a server cost so far.
type trouble struct {
	silent int // calls that were not answered
	deaths int // calls that ended the server
	streak int // sessions in a row that ended before a call was answered
}

func (t trouble) enough() bool { return t.silent >= maxSilence || t.deaths >= maxEnds }

// aside reports whether a tool made too much trouble to go on with it.
func (s *subject) aside() bool {
	return s.hangs >= maxHangs || s.deaths >= maxDeaths || s.tires || s.spentCalls()
}

// spentCalls reports whether the tool may not be called again.
func (s *subject) spentCalls() bool { return s.most > 0 && s.sent >= s.most }

// slow reports whether answers of the tool have taken so long that the others wait for it.
func (s *subject) slow() bool {
	return s.spent >= maxSpent && s.spent >= time.Duration(s.pace.answers)*slowCall
}

// tire sets a slow tool aside: a person waits for what is found in the others. One that was named is what they wait for, and
// who gives a time has said how long that may take.
func (r *runner) tire(t *subject) {
	if t.aside() || !t.slow() || len(r.opts.Tools) > 0 || r.opts.Cases == anyCases {
		return
	}
	t.tires = true
	r.left[t.name] = fmt.Sprintf("it is slow: %d calls took %v, and no more were made; --tool makes all", t.pace.answers, t.spent.Round(time.Second))
}

// count remembers a call that was not answered, and why a tool is left out from now on.
func (r *runner) count(t *subject, s *sight) {
	switch {
	case s.Late:
		t.hangs++
		r.trouble.silent++
	case s.Err != nil:
		t.deaths++
		r.trouble.deaths++
		r.trouble.streak++
	}
	if t.aside() {
		r.left[t.name] = fmt.Sprintf("set aside after %d calls without an answer", t.hangs+t.deaths)
	}
	if r.trouble.enough() {
		r.ended = fmt.Sprintf("%d calls were not answered, and %d ended the server", r.trouble.silent, r.trouble.deaths)
	}
}

// fresh opens a new session in the place of the old one. A server that died at once, or does not start, is given time.
func (r *runner) fresh(ctx context.Context) error {
	first := r.session == nil && r.done == 0
	r.close()
	for try := range maxOpens {
		if err := rest(ctx, r.trouble.streak+try); err != nil {
			return err
		}
		began := time.Now()
		s, err := r.opts.Open(ctx)
		if err == nil {
			r.starting = time.Since(began)
			r.session, r.history, r.growth = s, nil, growth{}
			r.revision, _ = spec.Find(s.Version)
			r.fineMeta = ""
			return nil
		}
		if first || ctx.Err() != nil || try == maxOpens-1 {
			return err
		}
	}
	return errors.New("the server could not be started again")
}

// rest waits the longer, the more often it went wrong in a row.
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
		_ = r.session.Close() // it may be gone already
		r.session = nil
	}
}
