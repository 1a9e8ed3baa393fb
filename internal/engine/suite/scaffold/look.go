package scaffold

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/match"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/outcome"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// slowCall is the duration from which a call is slow: its tests are tagged, and it is not repeated.
const slowCall = 2 * time.Second

// A sighting is what a call led to.
type sighting struct {
	outcome *outcome.Outcome
	err     error // there was no response
	elapsed time.Duration
}

// why is why a response cannot be expected of a correct server; empty if it can.
func (s *sighting) why() string {
	if s.err != nil {
		return s.err.Error()
	}
	if failed := cmp.Or(s.outcome.Failure(), s.malformed()); failed != "" {
		return "a sample call fails (" + failed + ")"
	}
	return ""
}

// rejected reports whether the server rejected the call.
func (s *sighting) rejected() bool { return s.err == nil && s.outcome.Failure() != "" }

func (s *sighting) malformed() string {
	return clip.Sized(strings.Join(s.outcome.Malformed(), "; "), match.MaxDisplayed)
}

func (s *sighting) result() json.RawMessage {
	if s.err != nil {
		return nil
	}
	return s.outcome.Result()
}

// text is the text of a tool's result, or the message of the error.
func (s *sighting) text() string {
	if raw := s.outcome.RPCError(); raw != nil {
		message, _ := schema.Get(raw, "/message")
		return match.Flat(message)
	}
	raw, _ := s.outcome.Text()
	return match.Flat(raw)
}

// look makes a call. A server that crashed or is blocked is started again first.
func (w *writer) look(call calls.Call) *sighting {
	if w.ctx.Err() != nil {
		return &sighting{err: context.Cause(w.ctx)}
	}
	if w.session.Err() != nil || w.blocked {
		fresh, err := w.Again(w.ctx)
		if err != nil {
			return &sighting{err: err}
		}
		w.release()
		w.session, w.blocked = fresh, false
	}
	request := call.Request(w.session)
	request.Input, request.Alone, request.Timeout = noAnswer, true, w.Timeout
	start := time.Now()
	ex, err := w.session.Do(w.ctx, request)
	if w.ctx.Err() != nil {
		err = context.Cause(w.ctx)
	}
	if err != nil {
		var late *mcp.TimeoutError
		w.blocked = errors.As(err, &late)
		return &sighting{err: err, elapsed: time.Since(start)}
	}
	return &sighting{outcome: &outcome.Outcome{Exchange: ex, Verdict: call.Evaluate(w.session, ex)},
		elapsed: time.Since(start)}
}
