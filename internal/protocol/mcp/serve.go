package mcp

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// maxServing is the maximum number of concurrent requests from one server.
const maxServing = 64

// serve handles a request of the server, in a separate goroutine: the user may have to answer it.
func (s *Session) serve(m *Message) {
	if s.negotiated.Load().era == spec.Modern {
		s.notice(m.Frame.Seq, "request %s from the server, which this protocol version does not allow; ignored",
			m.Method)
		return
	}
	ctx, cancel := context.WithCancel(s.ctx)
	id := string(m.ID)
	s.mu.Lock()
	full := len(s.serving) >= maxServing || s.serving[id] != nil
	if !full {
		s.serving[id] = cancel
		s.storeBetweenLocked(m, s.byStream[m.Frame.Stream])
	}
	s.mu.Unlock()
	if full {
		cancel()
		s.notice(m.Frame.Seq, "request %s from the server was dropped: its id is in use, or %d are in flight", m.Method,
			maxServing)
		return
	}
	s.wg.Go(func() {
		defer cancel()
		if isQuestion(m.Method) {
			defer s.holdTimers()()
		}
		result, err := s.handle(ctx, m)
		s.mu.Lock()
		delete(s.serving, id)
		s.mu.Unlock()
		if ctx.Err() != nil {
			return // the server cancelled its request, or the session ended
		}
		s.respond(ctx, m.ID, result, err)
	})
}

// isQuestion reports whether the user may have to answer a request.
func isQuestion(method string) bool {
	switch method {
	case "roots/list", "sampling/createMessage", "elicitation/create", "tasks/result":
		return true
	}
	return false
}

// respond sends the result or the error.
func (s *Session) respond(ctx context.Context, id, result json.RawMessage, err error) {
	var refusal *RPCError
	if err != nil && !errors.As(err, &refusal) {
		refusal = &RPCError{Code: CodeInternal, Message: err.Error()}
	}
	_ = s.post(ctx, wire.Frame{Header: s.header("", nil, nil), Body: encodeResponse(id, result, refusal)})
}

// handle finds the handler for a request.
func (s *Session) handle(ctx context.Context, m *Message) (json.RawMessage, error) {
	if m.Method == "ping" {
		return json.RawMessage(`{}`), nil
	}
	if _, ok := member(m.Params, "task"); ok && s.opts.Tasks {
		return s.receiveTask(m)
	}
	if result, known, err := s.receivedTask(ctx, m); known {
		return result, err
	}
	if c := s.relatedCall(m); c != nil && c.input != nil {
		return c.input(ctx, m.Method, m.Params)
	}
	return s.input(ctx, m.Method, m.Params)
}

// relatedCall returns the call that a request of the server belongs to: the one on whose stream it arrived, or the
// only one of the session. With several calls on one pipe it is unknown.
func (s *Session) relatedCall(m *Message) *call {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.byStream[m.Frame.Stream]; c != nil {
		return c
	}
	if len(s.pending) != 1 {
		return nil
	}
	for _, c := range s.pending {
		if c.alone {
			return c
		}
	}
	return nil
}

// input calls the handler of a method; it serves the requests of the legacy era and the input requests of the
// modern one.
func (s *Session) input(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	switch {
	case method == "roots/list" && s.opts.Roots != nil:
		return s.opts.Roots(ctx)
	case method == "sampling/createMessage" && s.opts.Sampling != nil:
		return s.opts.Sampling(ctx, params)
	case method == "elicitation/create" && s.opts.Elicitation != nil:
		return s.opts.Elicitation(ctx, params)
	}
	return nil, &RPCError{Code: CodeMethodNotFound, Message: "this client does not support " + method}
}

// cancelServing stops handling a request that the server cancelled.
func (s *Session) cancelServing(m *Message) {
	id, _ := member(m.Params, "requestId")
	s.mu.Lock()
	cancel := s.serving[string(id)]
	s.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}
