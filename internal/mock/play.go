package mock

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/recording"
)

// play sends what the recorded server sent for a request, from a step on, and returns its response. Replies are the
// client's answers to the requests of that step on, by key.
func (s *Server) play(ctx context.Context, c *serve.Call, x *recording.Exchange, from int,
	replies map[string]json.RawMessage) (json.RawMessage, *serve.Error) {
	var elapsed time.Duration
	for at := from; at < len(x.Steps); at++ {
		step := x.Steps[at]
		if at == from && from > 0 {
			elapsed = step.After // the time until then has passed
		}
		if !s.wait(ctx, recording.Elapsed(elapsed, step.After)) {
			return nil, nil
		}
		elapsed = step.After
		if !step.Request {
			s.notify(c, x, step)
			continue
		}
		reply, answered := replies[keyOf(x, at)]
		answered = answered && (at == from || step.Round > 0 && step.Round == x.Steps[from].Round)
		switch {
		case answered:
		case c.Era == spec.Modern:
			return s.inputRequired(c, x, at)
		default:
			var bad *serve.Error
			if reply, bad = s.sendRequest(ctx, c, step); bad != nil {
				return nil, bad
			}
		}
		if other := s.branch(x, at, reply); other != nil {
			x = other
		} else if !sameReply(step, reply) {
			s.log("the client's response to " + step.Method + " in " + nameOf(c) + " differs from the recorded one")
		}
	}
	if !s.wait(ctx, recording.Elapsed(elapsed, x.Duration)) {
		return nil, nil
	}
	if !x.Answered() {
		return nil, s.missing(c, "the recorded request has no response")
	}
	c.After(func() { s.send(c.Peer, s.after[x]) })
	between := serve.Boundary{Client: c.Era, Server: x.Era}
	if x.Error != nil {
		return nil, errorOf(between.Failure(c.Method, x.Error))
	}
	return between.Result(c.Method, x.Result), nil
}

// notify sends a recorded notification of an exchange.
func (s *Server) notify(c *serve.Call, x *recording.Exchange, step *recording.Step) {
	params := serve.Boundary{Client: c.Era, Server: x.Era}.Notification(step.Params)
	switch {
	case step.Method == "notifications/progress":
		token := c.Meta["progressToken"]
		if token == nil {
			return
		}
		members := serve.Members(params)
		members["progressToken"] = token
		params = serve.Encode(members)
	case c.Era == spec.Modern && isChange(step.Method):
		s.broadcast(step.Method, params)
		return
	case c.Era == spec.Modern && step.Method == "notifications/message" && c.Meta[serve.MetaLogLevel] == nil:
		return // the client has not requested log messages
	}
	c.Notify(step.Method, params)
}

// sendRequest sends a recorded request to a client with a session, and returns its response.
func (s *Server) sendRequest(ctx context.Context, c *serve.Call, step *recording.Step) (json.RawMessage, *serve.Error) {
	if !offers(c.Peer.Capabilities, step.Method) {
		return nil, s.missing(c, "the recorded server sends "+step.Method+", which the client does not support")
	}
	reply, err := c.Ask(ctx, step.Method, step.Params)
	if err != nil && ctx.Err() != nil {
		return nil, serve.InvalidRequest("cancelled") // a cancelled request gets no response
	}
	return reply, nil // without one if the client returned an error; the recorded server may have got one too
}

// offers reports whether a client supports a request of the server.
func offers(capabilities json.RawMessage, method string) bool {
	name := map[string]string{"roots/list": "roots", "sampling/createMessage": "sampling",
		"elicitation/create": "elicitation"}[method]
	value, ok := serve.Members(capabilities)[name]
	return name == "" || ok && string(value) != "null"
}

// branch returns another recorded exchange with the same request in which the client gave this reply at a step, if it
// did not in x; nil if there is none.
func (s *Server) branch(x *recording.Exchange, at int, reply json.RawMessage) *recording.Exchange {
	if sameReply(x.Steps[at], reply) {
		return nil
	}
	for _, other := range s.byKey[x.Key()] {
		if at < len(other.Steps) && other.Steps[at].Request && other.Steps[at].Method == x.Steps[at].Method &&
			sameReply(other.Steps[at], reply) {
			return other
		}
	}
	return nil
}

func sameReply(step *recording.Step, reply json.RawMessage) bool {
	if len(step.Reply) == 0 || len(reply) == 0 {
		return len(step.Reply) == len(reply)
	}
	return recording.Canonical(step.Reply) == recording.Canonical(reply)
}

// stateMark is the prefix of our requestState values: the exchange and the step follow.
const stateMark = "mock."

// inputRequired returns the result that requests the client's input from a step on: all requests of the same recorded
// result, otherwise a single one.
func (s *Server) inputRequired(c *serve.Call, x *recording.Exchange, from int) (json.RawMessage, *serve.Error) {
	requests := map[string]json.RawMessage{}
	for at := from; at < len(x.Steps); at++ {
		step := x.Steps[at]
		if !step.Request || at > from && (step.Round == 0 || step.Round != x.Steps[from].Round) {
			break
		}
		if !offers(c.Meta[serve.MetaCapabilities], step.Method) {
			return nil, s.missing(c, "the recorded server sends "+step.Method+", which the client does not support")
		}
		request := map[string]json.RawMessage{"method": rawjson.Quote(step.Method)}
		if step.Params != nil {
			request["params"] = step.Params
		}
		requests[keyOf(x, at)] = serve.Encode(request)
	}
	return serve.Encode(map[string]json.RawMessage{"resultType": rawjson.Quote("input_required"),
		"requestState":  rawjson.Quote(fmt.Sprintf("%s%d.%d", stateMark, x.Index, from)),
		"inputRequests": serve.Encode(requests)}), nil
}

// keyOf returns the key of a request in inputRequests.
func keyOf(x *recording.Exchange, at int) string {
	if key := x.Steps[at].Key; key != "" {
		return key
	}
	return "input-" + strconv.Itoa(at+1)
}

// resumed returns where a retry with the client's input continues. The exchange is nil if the state is not one that
// the mock has issued for this request.
func (s *Server) resumed(c *serve.Call, key string) (x *recording.Exchange, at int,
	replies map[string]json.RawMessage, resumed bool) {
	var state string
	if json.Unmarshal(c.Fields["requestState"], &state) != nil || !strings.HasPrefix(state, stateMark) {
		return nil, 0, nil, false
	}
	var index int
	_, err := fmt.Sscanf(strings.TrimPrefix(state, stateMark), "%d.%d", &index, &at)
	all := s.opts.Session.Exchanges
	if err != nil || index < 0 || index >= len(all) || at < 0 || at >= len(all[index].Steps) {
		return nil, 0, nil, true
	}
	if own := all[index].Key(); own != key && own != s.unmasked(key) {
		return nil, 0, nil, true
	}
	return all[index], at, serve.Members(c.Fields["inputResponses"]), true
}
