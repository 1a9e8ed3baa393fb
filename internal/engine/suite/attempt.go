package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/fixture"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/match"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/outcome"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// Stopped is the skip reason of a test that did not finish.
const Stopped = "the run was stopped"

// test runs one test, again if it fails and may be retried.
func (r *run) test(ctx context.Context, s *Suite, t *Test, hs *fixture.Commands, snapshots *match.Snapshots) finding.Result {
	result := finding.Result{Name: t.ID}
	switch {
	case ctx.Err() != nil:
		result.Skipped = Stopped
		return result
	case t.Skip != "":
		result.Skipped = t.Skip
		return result
	case r.bailing():
		result.Skipped = "skipped after the first failure (--bail)"
		return result
	}
	start := time.Now()
	for tries := max(r.opts.Retries, s.RunOptions.Retries, value(t.Retries)) + 1; tries > 0; tries-- {
		result.Attempts++
		result.Notes = nil
		result.Findings, result.Broken, result.Skipped = r.attempt(ctx, s, t, hs, snapshots, &result)
		if len(result.Findings) == 0 && result.Broken == "" || ctx.Err() != nil || t.XFail != "" {
			break
		}
	}
	result.Elapsed = time.Since(start)
	if result.Broken != "" && ctx.Err() != nil {
		result.Broken, result.Skipped = "", Stopped // which is inconclusive
	}
	if t.XFail != "" {
		r.expectFailure(t, &result)
	}
	return result
}

func value(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

// attempt runs a test once: its findings, or why it could not be finished, or why it does not apply. Remarks that are
// not failures, and figures of coverage, are added to the result.
func (r *run) attempt(ctx context.Context, s *Suite, t *Test, hs *fixture.Commands, snapshots *match.Snapshots,
	result *finding.Result) (findings []finding.Finding, broken, skipped string) {
	ctx, cancel := context.WithTimeout(ctx, t.Timeout)
	defer cancel()
	own := &fixture.Set{}
	defer own.End()
	s, err := r.withFixtures(ctx, s, own, fixture.ScopeTest)
	if err != nil {
		return nil, err.Error(), ""
	}
	defer func() { result.Notes = append(result.Notes, s.running.Remarks()...) }()
	if err := hs.Run(ctx, s.scope, s.SetupPerTest); err != nil {
		return nil, fmt.Sprintf("setup_per_test: %v", err), ""
	}
	l, err := r.lease(ctx, s, t)
	if err != nil {
		return nil, explain(err), ""
	}
	defer l.release()
	switch t.Engine {
	case "":
	case "coverage":
		return r.coverage(ctx, s, t, l, result)
	default:
		return r.block(ctx, s, t, l, snapshots)
	}
	in := t.scope(s)
	in.Captured = map[string]json.RawMessage{}
	var failed []finding.Finding
	for i := range t.Steps {
		step := &t.Steps[i]
		a, findings, err := r.step(ctx, t, step, i, l, in, snapshots)
		result.Notes = append(result.Notes, a.Notes()...)
		if err != nil {
			return failed, explain(err), ""
		}
		if failed = append(failed, findings...); len(findings) > 0 && !(step.Soft && step.hasCaptured(in)) {
			break
		}
	}
	return failed, "", ""
}

// step makes one call and checks its response. An error means that the request could not be sent.
func (r *run) step(ctx context.Context, t *Test, c *Call, index int, l *lease, in scope,
	snapshots *match.Snapshots) (*outcome.Outcome,
	[]finding.Finding, error) {
	a, err := r.send(ctx, t, c, l, in)
	if err != nil {
		return nil, nil, err
	}
	findings, err := r.check(ctx, t, c, index, a, in, snapshots)
	return a, findings, err
}

// send makes one call. An error means that it could not be created; if there was no response, the outcome has the
// reason.
func (r *run) send(ctx context.Context, t *Test, c *Call, l *lease, in scope) (*outcome.Outcome, error) {
	call, err := c.prepare(ctx, l, in)
	if err != nil {
		return nil, err
	}
	script, err := newScript(c.Answers, in)
	if err != nil {
		return nil, err
	}
	request := call.Request(l.session)
	request.Timeout, request.Input, request.Alone = t.Timeout, script.respond, t.needsInput()
	if c.Expect.looksAt("progress") {
		request.OnProgress = func(mcp.Progress) {} // a server sends progress only on request
	}
	before := l.session.Stderr()
	lines, _ := l.session.Unusable()
	a := &outcome.Outcome{Params: call.Params, Session: l.session,
		Written: func() string { return strings.TrimPrefix(l.session.Stderr(), before) }}
	received := l.running.Mark()
	a.Exchange, a.Err = l.session.Do(ctx, request)
	a.Requests = l.running.Since(received)
	a.Late = a.Err != nil && (errors.Is(ctx.Err(), context.DeadlineExceeded) || late(a.Err))
	a.Stderr = a.Written()
	if now, last := l.session.Unusable(); now > lines {
		a.Noise = last
	}
	if !a.Late {
		a.Verdict = call.Evaluate(l.session, a.Exchange)
	}
	r.used.call(t, c, call, a.Failure() != "")
	return a, nil
}

// check verifies the outcome of a call. An error means that there was no response, and that the test does not expect that.
func (r *run) check(ctx context.Context, t *Test, c *Call, index int, a *outcome.Outcome, in scope,
	snapshots *match.Snapshots) ([]finding.Finding, error) {
	switch {
	case a.Late:
		return []finding.Finding{r.finding(t, c, index, "suite/timeout", a.Params, a,
			fmt.Errorf("timed out after %v", t.Timeout))}, nil
	case a.Err != nil && !c.Expect.looksAt("exit_code"):
		return nil, a.Err
	}
	return r.evaluate(ctx, t, c, index, a.Params, a, in, snapshots)
}

// prepare creates the call of a step. Tests may send anything, so arguments are not checked.
func (c *Call) prepare(ctx context.Context, l *lease, in scope) (*calls.Call, error) {
	params, err := c.params(in)
	if err != nil {
		return nil, err
	}
	call := &calls.Call{Method: c.Method, Params: params}
	if c.Kind == "tool" {
		name, _ := schema.Get(params, "/name")
		call.Definition, err = l.tools.of(ctx, l.session, flat(name))
	}
	return call, err
}

func late(err error) bool {
	var silent *mcp.TimeoutError
	return errors.As(err, &silent)
}

func (r *run) evaluate(ctx context.Context, t *Test, c *Call, index int, params json.RawMessage, a *outcome.Outcome,
	in scope,
	snapshots *match.Snapshots) ([]finding.Finding, error) {
	findings := r.unusable(t, c, index, params, a)
	if len(findings) > 0 {
		return findings, nil
	}
	if c.Expect != nil {
		for _, assertion := range c.Expect.All {
			target, at := assertion.Target, assertion.path
			if target == "" {
				target = c.usualTarget(assertion)
				at, _ = outcome.ParsePath(target) // ours are well-formed
			}
			accept, err := assertion.evaluate(in)
			if err != nil {
				return nil, err
			}
			m := &match.Context{Context: ctx, Key: fmt.Sprintf("%s > %s", testKey(t, index), target),
				Snapshots: snapshots}
			if err := accept(m, a.Find(at)); err != nil {
				f := r.finding(t, c, index, "suite/expectation", params, a,
					fmt.Errorf("%s: expectation failed\n%w", target, err))
				f.Where.File, f.Where.Line = assertion.File, assertion.Line
				findings = append(findings, f)
			}
		}
	}
	if len(findings) > 0 && !c.Soft {
		return findings, nil
	}
	if err := capture(ctx, c, a, in); err != nil {
		findings = append(findings, r.finding(t, c, index, "suite/expectation", params, a, err))
	}
	return findings, nil
}

// unusable lists why a response cannot be checked against the expectations: an unexpected error, a malformed result.
func (r *run) unusable(t *Test, c *Call, index int, params json.RawMessage, a *outcome.Outcome) []finding.Finding {
	var findings []finding.Finding
	if failure := a.Failure(); failure != "" && !c.Expect.looksAt("error", "rejected", "result.isError", "result.content",
		"text") {
		f := r.finding(t, c, index, "suite/error", params, a, errors.New(failure))
		if raw := a.RPCError(); raw != nil {
			f.Evidence = append(f.Evidence, "error: "+clip.Sized(string(raw), maxDisplayed))
		}
		findings = append(findings, f)
	}
	if wrong := a.Malformed(); len(wrong) > 0 && c.Kind != "method" {
		findings = append(findings, r.finding(t, c, index, "suite/result", params, a,
			errors.New(strings.Join(wrong, "\n"))))
	}
	return findings
}

// testKey is the key of a step in the snapshots of its file.
func testKey(t *Test, index int) string {
	key := t.Kind + "/" + t.Name
	if len(t.Steps) > 1 {
		key += fmt.Sprintf(" > step %d", index+1)
	}
	return key
}

// finding describes a failure: the request, how the response differs, the stderr output, how to reproduce it.
func (r *run) finding(t *Test, c *Call, index int, rule string, params json.RawMessage, a *outcome.Outcome,
	why error) finding.Finding {
	message := why.Error()
	if len(t.Steps) > 1 {
		message = fmt.Sprintf("step %d: %s", index+1, message)
	}
	f := finding.Finding{Rule: rule, Severity: finding.Error, Message: message, Reproduce: r.reproduce(t),
		Where: finding.Location{Subject: t.ID, File: c.File, Line: c.Line, Frames: a.Frames()},
		Evidence: []string{fmt.Sprintf("call: %s on %s with %s", c.Method, t.Server,
			clip.Sized(string(params), maxDisplayed))}}
	if a.Err != nil {
		f.Evidence = append(f.Evidence, "no response: "+explain(a.Err))
	}
	if said := strings.TrimSpace(a.LateStderr()); said != "" {
		f.Evidence = append(f.Evidence, "stderr: "+
			clip.Sized(strings.Join(wire.StderrSummary(said, 5), "\n"), maxDisplayed))
	}
	return f
}

func (r *run) reproduce(t *Test) string {
	if r.opts.Reproduce == nil {
		return ""
	}
	if t.parent != nil {
		t = t.parent // its cases are known only in a run
	}
	return r.opts.Reproduce(t)
}

// Explain is an error with the last stderr output of the server, as the results of tests show it.
func Explain(err error) string { return explain(err) }

// explain is an error with the last stderr output of the server.
func explain(err error) string {
	var e *wire.Error
	if errors.As(err, &e) && strings.TrimSpace(e.Stderr) != "" {
		return err.Error() + "; stderr: " + clip.Sized(strings.Join(wire.StderrSummary(e.Stderr, 5), "\n"),
			maxDisplayed)
	}
	return err.Error()
}
