package fuzz

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

// sessionKind is the kind of a step that ends a session and goes on with it.
const sessionKind Kind = "session"

// sessions looks at the life of sessions: one is ended, its id is used again, and a new one is opened. Over pipes a session
// lives as long as its process, which the calls have started anew already.
func (r *runner) sessions(ctx context.Context) {
	if r.session == nil && r.fresh(ctx) != nil || !overHTTP(r.session) || sessionID(r.session) == "" {
		return
	}
	r.done++
	r.progress("a session that was ended")
	for _, seen := range r.endSession(ctx) {
		key := keyOf(seen.rule, "", seen.breach)
		r.found[key] = &Found{Rule: seen.rule, Breach: seen.breach.message, Severity: seen.rule.Severity, Times: 1, Cases: r.done, After: r.searched(), Repeats: true,
			Steps: []Step{{Case: Case{Kind: sessionKind, Says: "a session that was ended"}}}}
		r.order = append(r.order, key)
	}
}

// endSession ends the session, uses its id again, and opens another. It returns what the server does wrong.
func (r *runner) endSession(ctx context.Context) []replayed {
	limited, cancel := context.WithTimeout(ctx, r.opts.Hang)
	defer cancel()
	if status, _ := exchange(limited, r.session, http.MethodDelete, http.NoBody, 0); status/100 != 2 {
		return nil // the server does not let clients end sessions
	}
	var all []replayed
	status, text := exchange(limited, r.session, http.MethodPost, strings.NewReader(plainCall), int64(len(plainCall)))
	if status/100 == 2 && strings.Contains(text, `"result"`) {
		all = append(all, replayed{rule: ruleOf("FUZZ-013"), breach: &breach{cause: "answered",
			message: fmt.Sprintf("tools/list with the id of a session that was ended is answered with status %d and a result; want 404", status)}})
	}
	if r.fresh(ctx) != nil && ctx.Err() == nil {
		all = append(all, replayed{rule: ruleOf("FUZZ-009"), breach: &breach{cause: "no session",
			message: "after a session was ended and its id used again, no new session can be opened"}})
	}
	return all
}
