package conform

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// someCalls is how many tools are called again when a check needs separate calls.
const someCalls = 6

// A Question is a server's request for client input during a call: a request from the server, or an entry in
// inputRequests of its result.
type Question struct {
	Tool     string
	Key      string // of an input request
	Method   string
	Params   json.RawMessage
	Pointer  string
	Exchange *mcp.Exchange
}

// questionsOf lists the client input that the server requested during a call.
func questionsOf(c CallResult) []Question {
	var all []Question
	for _, m := range c.Exchange.Between {
		if m.IsRequest() && m.Method != "ping" {
			all = append(all, Question{Tool: c.Name, Method: m.Method, Params: m.Params, Exchange: c.Exchange})
		}
	}
	if c.Exchange.Reply == nil {
		return all
	}
	wishes, _ := schema.Members(At(c.Exchange.Reply.Result, "/inputRequests"))
	for _, w := range wishes {
		all = append(all, Question{Tool: c.Name, Key: w.Name, Method: schema.TextAt(w.Value, "/method"),
			Params:  At(w.Value, "/params"),
			Pointer: "/inputRequests/" + schema.Token(w.Name), Exchange: c.Exchange})
	}
	return all
}

// Questions lists what the server requested from a client that declares every capability.
func (p *CheckContext) Questions(ctx context.Context) ([]Question, error) {
	done, err := p.Called(ctx)
	if err != nil {
		return nil, err
	}
	var all []Question
	for _, c := range done {
		all = append(all, questionsOf(c)...)
	}
	if len(all) == 0 {
		return nil, p.Skip("no called tool requested client input")
	}
	return all, nil
}

// Suspended lists the calls that returned input_required, and the session in which they can be continued: another
// process of the same server may not recognize the requestState.
func (p *CheckContext) Suspended(ctx context.Context) ([]CallResult, *mcp.Session, error) {
	all, err := p.openCalls(ctx)
	if err != nil {
		return nil, nil, err
	}
	var some []CallResult
	for _, c := range all.done {
		if c.Exchange.Reply.Error == nil && schema.TextAt(c.Exchange.Reply.Result, "/resultType") == "input_required" {
			some = append(some, c)
		}
	}
	if len(some) == 0 {
		return nil, nil, p.Skip("no call returned input_required")
	}
	return some, all.session, nil
}

// A recordingSession is a session owned by one check that stores every notification.
type recordingSession struct {
	*mcp.Session

	mu       sync.Mutex
	notified []mcp.Message
}

// RecordingSession opens a session that stores the notifications of the server. change may be nil.
func (p *CheckContext) RecordingSession(ctx context.Context, change func(*mcp.Options)) (*recordingSession, error) {
	h := &recordingSession{}
	s, err := p.Open(ctx, func(o *mcp.Options) {
		o.OnNotification = h.record
		if change != nil {
			change(o)
		}
	})
	h.Session = s
	return h, err
}

func (h *recordingSession) record(m mcp.Message) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.notified) < maxFindings {
		h.notified = append(h.notified, m)
	}
}

// all lists the notifications received so far.
func (h *recordingSession) all() []mcp.Message {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]mcp.Message(nil), h.notified...)
}

// await waits until a notification with the given method arrives, or ctx ends.
func (h *recordingSession) await(ctx context.Context, method string) {
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for len(h.recorded(method)) == 0 {
		select {
		case <-look.C:
		case <-ctx.Done():
			return
		}
	}
}

// recorded lists the notifications with the given method received so far.
func (h *recordingSession) recorded(method string) []mcp.Message {
	var some []mcp.Message
	for _, m := range h.all() {
		if m.Method == method {
			some = append(some, m)
		}
	}
	return some
}

// callAs calls tools that are known to respond in time, using a modified client; those for which sure returns true come
// first.
func (p *CheckContext) callAs(ctx context.Context, change func(*mcp.Options), sure func(CallResult) bool) ([]CallResult,
	error) {
	return p.callVariants(ctx, change, sure, func(tools []Tool) []Tool { return tools })
}

// callVariants is callAs with the calls that vary makes of the tools. Its session is opened while the calls that identify
// these tools may still be running.
func (p *CheckContext) callVariants(ctx context.Context, change func(*mcp.Options), sure func(CallResult) bool,
	vary func([]Tool) []Tool) ([]CallResult, error) {
	if all, err := p.Callable(ctx); err != nil || len(all) == 0 {
		return nil, errOr(err, p.notCallable())
	}
	s, err := p.Open(ctx, change)
	if err != nil {
		return nil, err
	}
	tools, err := p.quickTools(ctx, sure)
	if err != nil {
		return nil, err
	}
	return p.callIn(ctx, s, vary(tools)), nil
}

// callWithoutCapabilities calls tools as a client that declares no capabilities, with and without their optional
// arguments: a tool requests what was not given.
func (p *CheckContext) callWithoutCapabilities(ctx context.Context) ([]CallResult, error) {
	mayRequest := func(c CallResult) bool { return causedRequest(c) || hasOptionals(c.Tool) }
	return p.callVariants(ctx, noCapabilities, mayRequest, func(tools []Tool) []Tool {
		for _, t := range slices.Clone(tools) {
			if hasOptionals(t) {
				tools = append(tools, withoutOptionals(t))
			}
		}
		return tools
	})
}

// hasOptionals reports whether the arguments of a tool have some that are not required.
func hasOptionals(t Tool) bool { return !equalJSON(withoutOptionals(t).Arguments, t.Arguments) }

// withoutOptionals returns a tool whose arguments are only those that are required.
func withoutOptionals(t Tool) Tool {
	for _, name := range optionalProperties(t.Definition) {
		pointer := "/" + schema.Token(name)
		if At(t.Arguments, pointer) == nil {
			continue
		}
		if shorter, err := schema.Apply(t.Arguments, []finding.Edit{{Pointer: pointer}}); err == nil {
			t.Arguments = shorter
		}
	}
	return t
}

// callIn calls tools one after the other in a session, without a progressToken, and returns those that responded in
// time.
func (p *CheckContext) callIn(ctx context.Context, s *mcp.Session, tools []Tool) []CallResult {
	var done []CallResult
	for _, t := range tools {
		if ex, err := p.CallIn(ctx, s, "tools/call",
			mcp.Object("name", t.Name, "arguments", t.Arguments)); err == nil && ex.Reply != nil {
			done = append(done, CallResult{t, ex})
		}
	}
	return done
}

// quickTools returns some tools that may be called and are known to respond in time; those for which sure returns true
// come first.
func (p *CheckContext) quickTools(ctx context.Context, sure func(CallResult) bool) ([]Tool, error) {
	done, err := p.Called(ctx)
	if err != nil {
		return nil, err
	}
	var first, rest []Tool
	for _, c := range done {
		if p.round.limited(c.Name) {
			continue
		}
		if sure != nil && sure(c) {
			first = append(first, c.Tool)
		} else {
			rest = append(rest, c.Tool)
		}
	}
	all := append(first, rest...)
	return all[:min(len(all), someCalls)], nil
}

// causedNotification reports whether notifications of a method were sent during a call.
func causedNotification(method string) func(CallResult) bool {
	return func(c CallResult) bool {
		for _, m := range c.Exchange.Between {
			if m.Method == method {
				return true
			}
		}
		return false
	}
}

// causedRequest reports whether client input was requested during a call.
func causedRequest(c CallResult) bool { return len(questionsOf(c)) > 0 }

// noCapabilities configures a client that declares no capabilities.
func noCapabilities(o *mcp.Options) {
	o.Roots, o.Sampling, o.Elicitation, o.Tasks, o.Extensions = nil, nil, nil, false, nil
}
