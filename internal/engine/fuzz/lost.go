package fuzz

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// A lostCall is a call without a response after which the server has not responded to anything yet.
type lostCall struct {
	target *fuzzTarget
	step   Step
	began  time.Time
	silent bool // the server did not respond to an attempt to open a session
}

// lose records a call without a response, until the server responds again. Over stdio, a new process always does.
func (r *runner) lose(t *fuzzTarget, step Step, began time.Time) {
	if r.lost == nil && !step.Cancel && r.session != nil && overHTTP(r.session) {
		r.lost = &lostCall{target: t, step: step, began: began}
	}
}

// regained records that the server responds again.
func (r *runner) regained() { r.lost = nil }

// unanswerable records why no session could be opened after such a call: no response, and not a rejected connection.
func (r *runner) unanswerable(err error) {
	var late *mcp.TimeoutError
	if r.lost != nil && (errors.As(err, &late) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)) {
		r.lost.silent = true
	}
}

// reportLost adds the call after which the server has not responded to anything, when a run has ended: it cannot be repeated.
// If the silence is too short to be sure, the tool is named.
func (r *runner) reportLost() {
	l := r.lost
	if l == nil || r.session != nil || !l.silent {
		return
	}
	name := l.target.name
	waited := time.Since(l.began)
	rule, key := ruleOf(hangRule), keyOf(ruleOf(hangRule), name, silence)
	f := r.found[key]
	switch {
	case f != nil && f.Repeats:
		return
	case waited < r.opts.Hang:
		if f == nil && !slices.Contains(r.unsure, name) {
			r.unsure = append(r.unsure, name)
		}
		return
	}
	if f == nil {
		f = &Found{Rule: rule, Severity: rule.Severity, Times: 1, Cases: r.done, After: r.searched()}
		r.found[key] = f
		r.order = append(r.order, key)
	}
	r.unsure = slices.DeleteFunc(r.unsure, func(tool string) bool { return tool == name })
	f.Steps, f.Unrepeated, f.Silence = []Step{l.step}, true, waited
	f.Breach = fmt.Sprintf("no response, and the server has not responded to anything since: for %v", waited.Round(time.Second))
}
