package fault

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// An Outcome is what a client did after a fault.
type Outcome string

// The outcomes.
const (
	Retried     Outcome = "retried"     // it sent the same request again
	Reconnected Outcome = "reconnected" // it started a new session
	Continued   Outcome = "continued"   // it sent other requests
	Aborted     Outcome = "aborted"     // it canceled the request or closed the connection
	Hung        Outcome = "hung"        // it did nothing for hungAfter or longer
	Unknown     Outcome = "unknown"     // the recording does not show it
)

// hungAfter is how long a client without a response must do nothing before it hangs.
const hungAfter = 10 * time.Second

// A Reaction is an injected fault and what the client did next.
type Reaction struct {
	Injection
	Outcome Outcome       `json:"outcome"`
	After   time.Duration `json:"after_ns,omitempty"`
	Detail  string        `json:"detail,omitempty"`
}

// A Report is what the client of a session did after each fault. Grade is empty without evidence.
type Report struct {
	Count     int        `json:"count"` // of all faults; Reactions may have fewer
	Reactions []Reaction `json:"reactions"`
	Recovered int        `json:"recovered"`
	Assessed  int        `json:"assessed"` // faults whose outcome is known
	Grade     string     `json:"grade,omitempty"`
}

// A Session is what a report needs of a recording.
type Session struct {
	Frames       []wire.Frame
	Injected     []Injection
	Count        int
	ClientClosed *time.Time // when the client closed its end of stdio
	Ended        time.Time  // of the session; now if it runs
	Restarted    *time.Time // when the client started the same server again
}

// Assess returns what the client did after each fault.
func Assess(s *Session) *Report {
	a := &assessment{Session: s}
	for _, f := range s.Frames {
		m := mcp.Read(f)
		a.messages = append(a.messages, m)
	}
	r := &Report{Count: s.Count, Reactions: []Reaction{}}
	for _, i := range s.Injected {
		reaction := a.reaction(i)
		r.Reactions = append(r.Reactions, reaction)
		switch reaction.Outcome {
		case Unknown:
			continue
		case Retried, Reconnected, Continued:
			r.Recovered++
		}
		r.Assessed++
	}
	r.Grade = grade(r.Recovered, r.Assessed)
	return r
}

// grade returns the grade of a client that recovered from some of the faults; empty if there were none.
func grade(recovered, all int) string {
	if all == 0 {
		return ""
	}
	share := float64(recovered) / float64(all)
	for _, g := range []struct {
		least float64
		name  string
	}{{1, "A"}, {0.75, "B"}, {0.5, "C"}, {0.25, "D"}} {
		if share >= g.least {
			return g.name
		}
	}
	return "F"
}

// An assessment searches a recording for what the client did.
type assessment struct {
	*Session
	messages []mcp.Message
}

// reaction returns what the client did after one fault.
func (a *assessment) reaction(i Injection) Reaction {
	out := Reaction{Injection: i, Outcome: Unknown}
	at := slices.IndexFunc(a.messages, func(m mcp.Message) bool { return m.Frame.Seq == i.Seq && !wire.IsStderr(m.Frame) })
	if at < 0 {
		out.Detail = "the message is not in the recording"
		return out
	}
	request := a.request(&a.messages[at])
	set := func(o Outcome, when time.Time, detail string) {
		out.Outcome, out.After, out.Detail = o, max(0, when.Sub(i.Time)), detail
	}
	for j := range a.messages[at+1:] {
		m := &a.messages[at+1+j]
		switch {
		case m.Frame.From != wire.Client:
			if request != nil && m.Frame.Stream == request.Frame.Stream && a.closedByClient(m) && out.Outcome == Unknown {
				set(Aborted, m.Frame.Time, "closed the connection")
			}
		case m.IsRequest() && same(m, request):
			set(Retried, m.Frame.Time, a.outcome(m))
			return out
		case m.Method == "initialize" && out.Outcome != Reconnected:
			set(Reconnected, m.Frame.Time, "new handshake")
		case request != nil && cancels(m, request) && out.Outcome == Unknown:
			set(Aborted, m.Frame.Time, "canceled the request")
		case m.IsRequest() && out.Outcome == Unknown:
			set(Continued, m.Frame.Time, "sent "+m.Method)
		}
	}
	if out.Outcome == Unknown || out.Outcome == Aborted {
		a.silence(&a.messages[at], &i, &out, set)
	}
	return out
}

// silence sets the outcome of a client that sent no request after the fault.
func (a *assessment) silence(m *mcp.Message, i *Injection, out *Reaction, set func(Outcome, time.Time, string)) {
	quiet := a.Ended.Sub(i.Time)
	switch {
	case a.Restarted != nil && a.Restarted.After(i.Time):
		set(Reconnected, *a.Restarted, "started the server again")
	case out.Outcome == Aborted:
	case a.ClientClosed != nil && a.ClientClosed.Before(i.Time):
		out.Detail = "the client had closed its end before"
	case a.ClientClosed != nil && i.losesMessage():
		set(Aborted, *a.ClientClosed, "closed the connection")
	case quiet >= hungAfter && i.losesMessage() && (m.Frame.Stream == string(wire.Stdio) || i.Kind() == Hang):
		// over HTTP a client that is silent may have exited, unless its exchange is still open
		set(Hung, a.Ended, "sent nothing more")
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

// losesMessage reports whether the receiver cannot read the message with the fault.
func (i *Injection) losesMessage() bool {
	switch i.Kind() {
	case Delay, Duplicate, Reorder, Slow, Oversize, StderrFlood, Error:
		return false
	}
	return true
}

// request returns the request of a message: itself, or the one that it answers; nil if there is none.
func (a *assessment) request(m *mcp.Message) *mcp.Message {
	if m.IsRequest() && m.Frame.From == wire.Client {
		return m
	}
	at := slices.IndexFunc(a.messages, func(r mcp.Message) bool {
		return m.Frame.Reply != 0 && r.Frame.Seq == m.Frame.Reply && r.IsRequest()
	})
	if at < 0 {
		return nil
	}
	return &a.messages[at]
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

// same reports whether two requests have the same method and parameters.
func same(a, b *mcp.Message) bool {
	return b != nil && a.Method == b.Method && bytes.Equal(parameters(a.Params), parameters(b.Params))
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

// Text returns a reaction as one line.
func (r *Reaction) Text() string {
	what := r.Method
	if r.Tool != "" {
		what += " " + r.Tool
	}
	text := fmt.Sprintf("%s on %s (message %d from the %s): ", r.Effect, what, r.Seq, r.From)
	if r.Outcome == Unknown {
		return text + "no evidence: " + r.Detail
	}
	return fmt.Sprintf("%s%s after %s: %s", text, r.Outcome, r.After.Round(time.Millisecond), r.Detail)
}
