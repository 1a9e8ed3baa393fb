package fuzz

import (
	"context"
	"fmt"
	"net/http"
	"strings"
)

// sessions looks at the life of sessions: one is ended, its id is used again, and a new one is opened. Over pipes a session
// lives as long as its process, which the calls have started anew already.
func (r *runner) sessions(ctx context.Context) {
	if r.session == nil && r.fresh(ctx) != nil || !overHTTP(r.session) || sessionID(r.session) == "" {
		return
	}
	r.done++
	r.progress("a session that was ended")
	limited, cancel := context.WithTimeout(ctx, r.opts.Hang)
	defer cancel()
	if status, _ := exchange(limited, r.session, http.MethodDelete, http.NoBody, 0); status/100 != 2 {
		return // the server does not let clients end sessions
	}
	status, text := exchange(limited, r.session, http.MethodPost, strings.NewReader(plainCall), int64(len(plainCall)))
	if status/100 == 2 && strings.Contains(text, `"result"`) {
		r.add(ruleOf("FUZZ-013"), fmt.Sprintf("tools/list with the id of a session that was ended is answered with status %d and a result; want 404", status), text)
	}
	if r.fresh(ctx) != nil && ctx.Err() == nil {
		r.ended = ""
		r.add(ruleOf("FUZZ-009"), "after a session was ended and its id used again, no new session can be opened", text)
	}
}
