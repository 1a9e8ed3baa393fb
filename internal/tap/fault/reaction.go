package fault

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// An assessment searches a recording for what the client did.
type assessment struct {
	*Session
	messages []mcp.Message
	keys     []string // of the requests, by index of the message
}

func newAssessment(s *Session) *assessment {
	a := &assessment{Session: s, messages: make([]mcp.Message, len(s.Frames)), keys: make([]string, len(s.Frames))}
	for i, f := range s.Frames {
		if a.messages[i] = mcp.Read(f); a.messages[i].IsRequest() {
			a.keys[i] = key(&a.messages[i])
		}
	}
	return a
}

// reaction returns what the client did after one fault.
func (a *assessment) reaction(i Injection) Reaction {
	out := &Reaction{Injection: i, Outcome: Unknown}
	at := slices.IndexFunc(a.messages, func(m mcp.Message) bool { return m.Frame.Seq == i.Seq && !wire.IsStderr(m.Frame) })
	if at < 0 {
		out.Detail = "the message is not in the recording"
		return *out
	}
	request := a.request(at)
	for j := at + 1; j < len(a.messages) && out.Outcome != Retried; j++ {
		m := &a.messages[j]
		if m.Frame.From == wire.Client {
			a.sent(out, j, request)
		} else if request >= 0 && m.Frame.Stream == a.messages[request].Frame.Stream && a.closedByClient(m) {
			out.first(Aborted, m.Frame.Time, "closed the connection")
		}
	}
	if out.Outcome == Unknown || out.Outcome == Aborted {
		a.silence(&a.messages[at], out)
	}
	return *out
}

// set sets what the client did.
func (r *Reaction) set(o Outcome, when time.Time, detail string) {
	r.Outcome, r.After, r.Detail = o, max(0, when.Sub(r.Time)), detail
}

// first sets what the client did unless something before it is known.
func (r *Reaction) first(o Outcome, when time.Time, detail string) {
	if r.Outcome == Unknown {
		r.set(o, when, detail)
	}
}

// sent takes a message of the client into account that follows the fault. Request is the index of the request that the
// fault concerns; -1 if there is none.
func (a *assessment) sent(out *Reaction, at, request int) {
	m := &a.messages[at]
	when := m.Frame.Time
	again := request >= 0 && a.keys[at] != "" && a.keys[at] == a.keys[request]
	switch {
	case again && !out.delivered(when):
		out.set(Retried, when, a.outcome(m))
	case !again && isHandshake(m) && (request < 0 || !isHandshake(&a.messages[request])):
		if out.Outcome != Reconnected {
			out.set(Reconnected, when, "new handshake")
		}
	case m.Frame.Header.Get("Last-Event-Id") != "":
		out.first(Reconnected, when, "resumed the stream")
	case request >= 0 && cancels(m, &a.messages[request]):
		out.first(Aborted, when, "canceled the request")
	case m.IsRequest() && out.Outcome == Aborted:
		out.set(Continued, when, out.Detail+", sent "+m.Method)
	case m.IsRequest():
		out.first(Continued, when, "sent "+m.Method)
	}
}

// isHandshake reports whether a request begins a session.
func isHandshake(m *mcp.Message) bool {
	return m.Method == "initialize" || m.Method == "server/discover"
}

// delivered reports whether the receiver had the message at a time in spite of the fault, so that the same request is a
// new one.
func (i *Injection) delivered(when time.Time) bool {
	r, err := Parse("*:" + i.Effect)
	if err != nil {
		return false
	}
	switch r.Kind {
	case Duplicate, StderrFlood:
		return true
	case Delay, Slow, Reorder:
		return when.After(i.Time.Add(r.duration))
	}
	return false
}

// silence sets the outcome of a client that sent no request after the fault.
func (a *assessment) silence(m *mcp.Message, out *Reaction) {
	overStdio := m.Frame.Stream == string(wire.Stdio)
	hung := a.Ended.Sub(out.Time) >= hungAfter && out.losesMessage(overStdio)
	switch {
	case a.Restarted != nil && a.Restarted.After(out.Time):
		out.set(Reconnected, *a.Restarted, "started the server again")
	case out.Outcome == Aborted:
	case a.ClientClosed != nil && a.ClientClosed.Before(out.Time):
		out.Detail = "the client had closed its end before"
	case a.ClientClosed != nil && hung && a.ClientExited:
		out.set(Hung, *a.ClientClosed, "sent nothing more until its process ended")
	case a.ClientClosed != nil && out.losesMessage(overStdio):
		out.set(Aborted, *a.ClientClosed, "closed the connection")
	case overStdio && a.NoRestart && (out.Kind() == Exit || out.Kind() == Close):
		out.set(Aborted, a.Ended, "did not start the server again")
	case hung && (overStdio || out.Kind() == Hang):
		// over HTTP a client that is silent may have exited, unless its exchange is still open
		out.set(Hung, a.Ended, "sent nothing more")
	default:
		out.Detail = "the client sent nothing more"
	}
}

// endGap is the time before the end of tap in which exchanges end because of it, and not by the client.
const endGap = 500 * time.Millisecond

// closedByClient reports whether the client has closed the connection of an HTTP exchange.
func (a *assessment) closedByClient(m *mcp.Message) bool {
	return m.Frame.Err != nil && strings.Contains(m.Frame.Err.Error(), ErrClientClosed.Error()) &&
		a.Ended.Sub(m.Frame.Time) > endGap
}

// losesMessage reports whether the receiver certainly cannot read the message with the fault.
func (i *Injection) losesMessage(overStdio bool) bool {
	switch i.Kind() {
	case Delay, Duplicate, Reorder, Slow, Oversize, InvalidUTF8, StderrFlood, Error:
		return false
	case Garbage:
		return !overStdio // there it is another line
	}
	return true
}

// request returns the index of the request of a message: itself, or the one that it answers; -1 if there is none.
func (a *assessment) request(at int) int {
	m := &a.messages[at]
	if m.IsRequest() && m.Frame.From == wire.Client {
		return at
	}
	return slices.IndexFunc(a.messages, func(r mcp.Message) bool {
		return m.Frame.Reply != 0 && r.Frame.Seq == m.Frame.Reply && r.IsRequest()
	})
}

// outcome returns how a request ended.
func (a *assessment) outcome(request *mcp.Message) string {
	for i := range a.messages {
		m := &a.messages[i]
		if m.Frame.Reply != request.Frame.Seq || m.Frame.From == request.Frame.From {
			continue
		}
		faulty := func(i Injection) bool { return i.Seq == m.Frame.Seq }
		switch {
		case slices.ContainsFunc(a.Injected, faulty):
			return "again with a fault"
		case m.Error != nil:
			return "with an error"
		}
		return "with success"
	}
	return "without a response"
}

// key identifies requests with the same sender, method and parameters.
func key(m *mcp.Message) string {
	return fmt.Sprintf("%s %s %s", m.Frame.From, m.Method, parameters(m.Params))
}

// parameters returns parameters in one spelling, without _meta, which has a new progress token for each request.
func parameters(raw json.RawMessage) []byte {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return raw
	}
	delete(fields, "_meta")
	text, err := json.Marshal(fields)
	if err != nil {
		return raw
	}
	return text
}

// cancels reports whether a message cancels a request.
func cancels(m, request *mcp.Message) bool {
	var params struct {
		ID json.RawMessage `json:"requestId"`
	}
	return m.Method == "notifications/cancelled" && json.Unmarshal(m.Params, &params) == nil &&
		mcp.IDKey(params.ID) == mcp.IDKey(request.ID)
}
