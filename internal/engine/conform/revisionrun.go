package conform

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// Limits for failing servers.
const (
	workers         = 8 // checks that run at the same time
	maxLostParallel = 6 // checks that lost the server before the rest runs one by one
	maxLostSerial   = 5 // checks that lost it although they ran alone, before the rest is aborted
)

// A revisionRun is the run in one revision.
type revisionRun struct {
	*run
	revision  spec.Revision
	protocol  string // as requested when a session is opened
	sessions  sessionPool
	items     catalog
	validator frameValidator
	temporary []string // directories for temporary files of servers
	cache     resultCache
	results   []finding.Result
	missing   notes // prerequisites that the server lacks
	lost      notes // checks that lost the server
	strikes   atomic.Int32
	silent    atomic.Int32  // tools that were called, if none of them responded in time
	slots     chan struct{} // one is held by each running check

	served   map[string]bool // lists that are served although they are not declared
	auth     authMetadata
	own      ownGrants
	locked   bool // the server requires authorization, and we have none
	hopeless bool // the server responds to nothing at all

	replaced bool          // each new client ends the session of the one before
	refusal  *HTTPExchange // the response with which the server rejected a second client; nil if it did not
}

func newRound(r *run, protocol string) *revisionRun {
	one := &revisionRun{run: r, protocol: protocol, results: make([]finding.Result, len(r.checks)),
		slots: make(chan struct{}, workers)}
	one.items.round, one.validator.round = one, one
	one.items.reading, one.sessions.semaphore = newTurn(), newTurn()
	one.validator.count = map[string]int{}
	one.sessions.names, one.sessions.scratch = map[*mcp.Session]string{}, make(chan scratch, 1)
	one.sessions.spoiled, one.sessions.starts = make(chan struct{}), make(semaphore, max(2, runtime.NumCPU()))
	return one
}

// A note is something that a check records for another to report.
type note struct {
	check string
	text  string
}

// notes are collected by many checks at once.
type notes struct {
	mu  sync.Mutex
	all []note
}

func (n *notes) add(check, text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.all = append(n.all, note{check, text})
}

func (n *notes) list() []note {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]note(nil), n.all...)
}

// runChecks runs the checks: first those that can run in parallel, then one by one those that lost their server and
// those that must run alone, and finally those that evaluate what the others recorded.
func (r *revisionRun) runChecks(ctx context.Context) {
	r.findServed(ctx)
	var beside, after, last []int
	for i, c := range r.checks {
		switch reason := r.inapplicable(c); {
		case reason != "":
			r.finish(i, finding.Result{Skipped: reason})
		case r.refusal != nil && c != http045 && !r.processes.one():
			r.finish(i, finding.Result{Broken: oneClient})
		case c.Last:
			last = append(last, i)
		case c.Alone:
			after = append(after, i)
		default:
			beside = append(beside, i)
		}
	}
	if r.opts.Auth != nil {
		for _, i := range slices.Concat(beside, after, last) {
			r.alone(ctx, i, 1)
		}
		r.closeGrants(ctx)
		return
	}
	if r.processes.one() {
		r.oneByOne(ctx, beside, after, last)
		return
	}
	again := r.together(ctx, beside)
	if len(again) > 0 && r.strikes.Load() >= maxLostParallel {
		r.hopeless = r.unresponsive(ctx, r.checks[again[0]])
	}
	for _, i := range again {
		r.alone(ctx, i, 2)
	}
	for _, i := range append(after, last...) {
		r.alone(ctx, i, 1)
	}
}

// together runs checks in parallel and returns those that must be repeated: each as soon as a slot is free, and those
// that pass on a session one after the other until one breaks it.
func (r *revisionRun) together(ctx context.Context, list []int) []int {
	again := make(chan int, len(list))
	run := func(i int) {
		defer func() { <-r.slots }()
		if ctx.Err() != nil || r.strikes.Load() >= maxLostParallel || !r.try(ctx, i, 1) {
			again <- i
		}
	}
	var group sync.WaitGroup
	lane, rest := r.inOrder(list)
	group.Go(func() {
		for _, i := range lane {
			r.slots <- struct{}{}
			done := make(chan struct{})
			group.Go(func() { defer close(done); run(i) })
			select {
			case <-done:
			case <-r.sessions.spoiled: // sessions are no longer passed on
			}
		}
	})
	for _, i := range rest {
		r.slots <- struct{}{}
		group.Go(func() { run(i) })
	}
	group.Wait()
	close(again)
	var lost []int
	for i := range again {
		lost = append(lost, i)
	}
	return lost
}

// inOrder separates the checks that pass on a session, and puts slow checks before the rest.
func (r *revisionRun) inOrder(list []int) (lane, rest []int) {
	var slow []int
	for _, i := range list {
		switch c := r.checks[i]; {
		case c.Scratch:
			lane = append(lane, i)
		case c.Slow:
			slow = append(slow, i)
		default:
			rest = append(rest, i)
		}
	}
	return lane, append(slow, rest...)
}

// alone runs a check with no other in parallel. If the server is lost now, this check is the cause.
func (r *revisionRun) alone(ctx context.Context, i, attempt int) {
	c := r.checks[i]
	switch {
	case ctx.Err() != nil:
		r.finish(i, finding.Result{Broken: context.Cause(ctx).Error()})
	case r.hopeless && !c.Last:
		r.finish(i, finding.Result{Broken: "aborted: server responds only to the handshake on new connections"})
	case len(r.lost.list()) >= maxLostSerial && !c.Last:
		r.finish(i, finding.Result{Broken: fmt.Sprintf("aborted: server was lost in %d earlier checks", maxLostSerial)})
	default:
		r.slots <- struct{}{}
		defer func() { <-r.slots }()
		if !r.try(ctx, i, attempt) {
			r.try(ctx, i, attempt+1)
		}
	}
}

// try runs a check once and stores its result. It returns false if the check should be repeated alone.
func (r *revisionRun) try(ctx context.Context, i, attempt int) bool {
	started := time.Now()
	p, err := r.attempt(ctx, r.checks[i], attempt > 1)
	result := finding.Result{Findings: p.findings, Elapsed: time.Since(started)}
	if attempt > 1 {
		result.Attempts = attempt
	}
	var skip *errSkip
	switch {
	case errors.As(err, &skip):
		if len(result.Findings) == 0 {
			result.Skipped = skip.reason
		}
		if skip.missing {
			r.missing.add(p.Check.ID, skip.reason)
		}
	case isRetyped(err): // RPC-014 reports it
		if len(result.Findings) == 0 {
			result.Skipped = "the response does not have the id of the request, but one of another type"
		}
	case err != nil && attempt == 1 && !isUnmatched(err):
		r.strikes.Add(1)
		r.sessions.examine(ctx, p)
		return false
	case err != nil:
		result.Broken = brokenBy(ctx, err)
		if ctx.Err() != nil {
			result.Findings = nil // the end of the run may have caused them
		}
		if p.lost(err) && !p.slow {
			r.lost.add(p.Check.ID, wire.Reason(err))
			r.sessions.examine(ctx, p)
		}
	}
	r.finish(i, result)
	return true
}

func brokenBy(ctx context.Context, err error) string {
	if ctx.Err() != nil {
		return context.Cause(ctx).Error()
	}
	return wire.Reason(err)
}

// attempt runs a check. A failure in a session that was passed on may be caused by an earlier check: the check is
// repeated in a new session, and only that outcome counts. If final, the check is not repeated after a timeout.
func (r *revisionRun) attempt(ctx context.Context, c *Check, final bool) (*CheckContext, error) {
	p := &CheckContext{Check: c, Revision: r.revision, Target: r.target, round: r, final: final}
	err := p.run(ctx)
	if p.handed && (err != nil || len(p.findings) > 0) {
		p = &CheckContext{Check: c, Revision: r.revision, Target: r.target, round: r, final: final, fresh: true}
		err = p.run(ctx)
	}
	return p, err
}

// run runs the check and closes the sessions that it opened.
func (p *CheckContext) run(ctx context.Context) (err error) {
	whole := ctx
	limit := max(checkTimeout, 4*p.round.opts.Timeout)
	if p.round.opts.Auth != nil {
		limit = authWithin // most of it is our own delay
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("no result within %v", limit))
	defer cancel()
	defer func() {
		p.skipScratch(ctx)
		p.round.sessions.release(p.own)
		p.recorder.close()
		if bug := recover(); bug != nil {
			err = fmt.Errorf("bug in this check: %v", bug)
		}
	}()
	err = p.uncrowded(p.Check.Run(ctx, p))
	switch {
	case err == nil && ctx.Err() != nil:
		err = context.Cause(ctx) // its findings may be caused by the time limit
	case p.final && p.lost(err):
		p.slow = p.onlySlow(whole, err) // while its sessions are open
	}
	return err
}

// finish stores the result of a check.
func (r *revisionRun) finish(i int, result finding.Result) {
	result.Rule = r.checks[i].ID
	r.results[i] = result
	step := r.count.add(len(result.Findings), r.checks[i].ID+" "+string(result.Status()))
	if r.opts.Step != nil {
		step.Total = r.total
		r.opts.Step(step)
	}
}

// inapplicable returns why a check does not apply to this server; empty if it does.
func (r *revisionRun) inapplicable(c *Check) string {
	place := transportOf(r.target.Transport())
	if r.opts.Auth != nil {
		if why := r.opts.authInapplicable(c); why != "" {
			return why
		}
	}
	switch {
	case r.locked && c.Family() != "AUTH" && !c.Last:
		return "server requires authorization; use --header 'Authorization: Bearer …' to send a token"
	case c.Since != "" && r.revision.Before(c.Since):
		return fmt.Sprintf("applies from %s on; testing %s", c.Since, r.revision.ID)
	case c.Until != "" && r.revision.ID > c.Until:
		return fmt.Sprintf("applies up to %s; testing %s", c.Until, r.revision.ID)
	case c.On != 0 && c.On&place == 0:
		return fmt.Sprintf("applies only over %s", c.On)
	case c.Needs != "" && !r.offers(c.Needs):
		return "server does not declare " + c.Needs
	case c.Disruptive && !r.opts.AllowDisruptive && !near(r.target):
		return "disruptive check; enable it with --allow-disruptive"
	}
	return ""
}

// A progress counts finished checks.
type progress struct {
	mu   sync.Mutex
	step Step
}

func (p *progress) add(findings int, text string) Step {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.step.Done++
	p.step.Findings += findings
	p.step.Text = text
	return p.step
}
