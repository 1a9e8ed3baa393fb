package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
)

// maxRounds is how often a server may ask for more input before we call it endless.
const maxRounds = 10

// follow does what an unfinished result asks for, until there is a finished one.
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
			return ex, s.protocolError("%s asked to go on %d times; given up", r.Method, len(earlier))
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
			return ex, s.protocolError("%s returned resultType %q, which this client does not know", r.Method, kind)
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

// nextRound collects the input that a result asks for and makes the call again with it.
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

// collectInput answers each input request by its handler, in the order in which they stand, and notes it as answered.
// Those that were answered before are left out; if that leaves none there is nothing to say.
func (s *Session) collectInput(ctx context.Context, r Request, result json.RawMessage, answered map[string]bool) (json.RawMessage, error) {
	requests, ok := member(result, "inputRequests")
	if !ok {
		return nil, nil
	}
	keys, values, err := membersOf(requests)
	if err != nil {
		return nil, s.protocolError("inputRequests cannot be read: %v", err)
	}
	var answers []any
	for i, key := range keys {
		if answered[key] || slices.Contains(keys[i+1:], key) { // of two with one key the last counts
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
			return nil, s.protocolError("the server asked for %s, which could not be answered: %v", text(values[i], "method"), err)
		}
		answers = append(answers, key, answer)
		answered[key] = true
	}
	if len(answers) == 0 && len(keys) > 0 {
		return nil, nil
	}
	return Object(answers...), nil
}

// protocolError is a failure that lies in what the server said, not in the connection; it ends the call alone.
func (s *Session) protocolError(format string, args ...any) error {
	return &ProtocolError{Target: s.target.String(), Problem: fmt.Sprintf(format, args...)}
}

// A ProtocolError says that a server's answer leads nowhere.
type ProtocolError struct{ Target, Problem string }

// Error names the target and the problem.
func (e *ProtocolError) Error() string { return e.Target + ": " + e.Problem }
