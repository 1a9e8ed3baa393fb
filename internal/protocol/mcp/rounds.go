package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
)

// maxRounds is how often a server may request more input before the call fails.
const maxRounds = 10

// follow handles unfinished results until there is a finished one.
func (s *Session) follow(ctx context.Context, r Request, ex *Exchange) (*Exchange, error) {
	var earlier []*Exchange
	for {
		kind := "complete"
		if ex.Reply.Error == nil {
			if k := text(ex.Reply.Result, "resultType"); k != "" {
				kind = k
			}
		}
		var next *Exchange
		var err error
		if kind != "complete" && len(earlier) >= maxRounds {
			return ex, s.protocolError("%s returned input_required %d times; stopped", r.Method, len(earlier))
		}
		switch kind {
		case "complete":
			ex.Rounds = earlier
			for _, e := range earlier {
				ex.Elapsed += e.Elapsed
			}
			return ex, nil
		case "input_required":
			next, err = s.nextRound(ctx, r, ex.Reply.Result)
		case "task":
			next, err = s.followTask(ctx, r, ex)
		default:
			return ex, s.protocolError("%s returned resultType %q, which this client does not support", r.Method, kind)
		}
		if next == nil {
			return ex, err
		}
		earlier = append(earlier, ex)
		if ex = next; err != nil {
			ex.Rounds = earlier
			return ex, err
		}
	}
}

// nextRound collects the input that a result requests and sends the call again with it.
func (s *Session) nextRound(ctx context.Context, r Request, result json.RawMessage) (*Exchange, error) {
	responses, err := s.collectInput(ctx, r, result, map[string]bool{})
	if err != nil {
		return nil, err
	}
	if responses != nil {
		r.Params = withMember(r.Params, "inputResponses", responses)
	}
	if state, ok := member(result, "requestState"); ok {
		r.Params = withMember(r.Params, "requestState", state)
	}
	return s.roundTrip(ctx, r)
}

// collectInput answers each input request with its handler, in order, and records it as answered. Those that
// were answered before are skipped; if none is left, there is nothing to send.
func (s *Session) collectInput(ctx context.Context, r Request, result json.RawMessage,
	answered map[string]bool) (json.RawMessage, error) {
	requests, ok := member(result, "inputRequests")
	if !ok {
		return nil, nil
	}
	keys, values, err := membersOf(requests)
	if err != nil {
		return nil, s.protocolError("invalid inputRequests: %v", err)
	}
	var answers []any
	for i, key := range keys {
		if answered[key] || slices.Contains(keys[i+1:], key) { // of duplicate keys the last is used
			continue
		}
		params, _ := member(values[i], "params")
		ask := s.input
		if r.Input != nil {
			ask = r.Input
		}
		answer, err := ask(ctx, text(values[i], "method"), params)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			return nil, s.protocolError("the server requested %s, which could not be answered: %v",
				text(values[i], "method"), err)
		}
		answers = append(answers, key, answer)
		answered[key] = true
	}
	if len(answers) == 0 && len(keys) > 0 {
		return nil, nil
	}
	return Object(answers...), nil
}

// protocolError is an error in the messages of the server, not in the connection; it ends only the call.
func (s *Session) protocolError(format string, args ...any) error {
	return &ProtocolError{Target: s.target.String(), Problem: fmt.Sprintf(format, args...)}
}

// A ProtocolError reports that a call cannot continue because of the server's response.
type ProtocolError struct{ Target, Problem string }

// Error returns the target and the problem.
func (e *ProtocolError) Error() string { return e.Target + ": " + e.Problem }
