package fuzz

import (
	"context"
	"fmt"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/cases"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/frames"
	"net/http"
	"strings"
)

// sessionKind is the kind of a step that deletes a session and continues to use it.
const sessionKind cases.Kind = "session"

// sessions tests the session lifecycle: one is deleted, its ID is used again, and a new one is opened. Over stdio a
// session lives as long as its process, which the calls have already restarted.
func (r *runner) sessions(ctx context.Context) {
	if r.session == nil && r.fresh(ctx) != nil || !overHTTP(r.session) || frames.SessionID(r.session) == "" {
		return
	}
	r.done++
	r.progress("a deleted session")
	for _, seen := range r.endSession(ctx) {
		key := keyOf(seen.rule, "", seen.breach)
		r.found[key] = &Found{Rule: seen.rule, Breach: seen.breach.message, Severity: seen.rule.Severity, Times: 1,
			Cases: r.done, After: r.searched(), Repeats: true,
			Steps: []Step{{Case: cases.Case{Kind: sessionKind, Description: "a deleted session"}}}}
		r.order = append(r.order, key)
	}
}

// endSession deletes the session, uses its ID again, and opens another. It returns the violation, if any.
func (r *runner) endSession(ctx context.Context) []replayResult {
	limited, cancel := context.WithTimeout(ctx, r.opts.Hang)
	defer cancel()
	if status, _ := frames.Exchange(limited, r.session, http.MethodDelete, http.NoBody, 0); status/100 != 2 {
		return nil // the server does not let clients delete sessions
	}
	var all []replayResult
	status, text := frames.Exchange(limited, r.session, http.MethodPost, strings.NewReader(frames.PlainCall), int64(len(frames.PlainCall)))
	if status/100 == 2 && strings.Contains(text, `"result"`) {
		all = append(all, replayResult{rule: ruleOf("FUZZ-013"), breach: &violation{cause: "answered",
			message: fmt.Sprintf("tools/list with the ID of a deleted session: got status %d and a result, expected 404", status)}})
	}
	if r.fresh(ctx) != nil && ctx.Err() == nil {
		all = append(all, replayResult{rule: ruleOf("FUZZ-009"), breach: &violation{cause: "no session",
			message: "cannot open a new session after a deleted session ID was used again"}})
	}
	return all
}
