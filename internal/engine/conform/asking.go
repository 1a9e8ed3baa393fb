package conform

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// someCalls is how many tools are called once more where a check needs calls of its own.
const someCalls = 6

// A Question is what a server asked its client on account of a call: a request of its own, or a wish in its answer.
type Question struct {
	Tool     string
	Key      string // of a wish
	Method   string
	Params   json.RawMessage
	Pointer  string
	Exchange *mcp.Exchange
}

// questionsOf lists what was asked on account of a call.
func questionsOf(c Called) []Question {
	var all []Question
	for _, m := range c.Exchange.Between {
		if m.IsRequest() && m.Method != "ping" {
			all = append(all, Question{Tool: c.Name, Method: m.Method, Params: m.Params, Exchange: c.Exchange})
		}
	}
	wishes, _ := schema.Members(At(c.Exchange.Reply.Result, "/inputRequests"))
	for _, w := range wishes {
		all = append(all, Question{Tool: c.Name, Key: w.Name, Method: TextAt(w.Value, "/method"), Params: At(w.Value, "/params"),
			Pointer: "/inputRequests/" + schema.Token(w.Name), Exchange: c.Exchange})
	}
	return all
}

// Questions lists what the server asked of a client that has declared everything.
func (p *Pass) Questions(ctx context.Context) ([]Question, error) {
	done, err := p.Called(ctx)
	if err != nil {
		return nil, err
	}
	var all []Question
	for _, c := range done {
		all = append(all, questionsOf(c)...)
	}
	if len(all) == 0 {
		return nil, p.Skip("no tool that was called asked for anything")
	}
	return all, nil
}

// Suspended lists the calls that were answered with a wish for input, and the session in which they can be gone on with: a
// state may mean nothing to another process of the same server.
func (p *Pass) Suspended(ctx context.Context) ([]Called, *mcp.Session, error) {
	all, err := p.openCalls(ctx)
	if err != nil {
		return nil, nil, err
	}
	var some []Called
	for _, c := range all.done {
		if c.Exchange.Reply.Error == nil && TextAt(c.Exchange.Reply.Result, "/resultType") == "input_required" {
			some = append(some, c)
		}
	}
	if len(some) == 0 {
		return nil, nil, p.Skip("no call was answered with input_required")
	}
	return some, all.session, nil
}

// A hearing is a session of a check's own in which every notification is kept.
type hearing struct {
	*mcp.Session

	mu   sync.Mutex
	told []mcp.Message
}

// Hearing opens a session that keeps what the server tells. change may be nil.
func (p *Pass) Hearing(ctx context.Context, change func(*mcp.Options)) (*hearing, error) {
	h := &hearing{}
	s, err := p.Open(ctx, func(o *mcp.Options) {
		o.OnNotification = h.hear
		if change != nil {
			change(o)
		}
	})
	h.Session = s
	return h, err
}

func (h *hearing) hear(m mcp.Message) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.told) < mostFindings {
		h.told = append(h.told, m)
	}
}

// all lists what was told so far.
func (h *hearing) all() []mcp.Message {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]mcp.Message(nil), h.told...)
}

// await waits until a notification of a method has come, or ctx ends.
func (h *hearing) await(ctx context.Context, method string) {
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for len(h.heard(method)) == 0 {
		select {
		case <-look.C:
		case <-ctx.Done():
			return
		}
	}
}

// heard lists the notifications of a method so far.
func (h *hearing) heard(method string) []mcp.Message {
	var some []mcp.Message
	for _, m := range h.all() {
		if m.Method == method {
			some = append(some, m)
		}
	}
	return some
}

// callAs calls tools that are known to answer in time for a client that was changed; those for which sure says yes stand
// first. Its session is opened while the calls that tell which these are may still go on.
func (p *Pass) callAs(ctx context.Context, change func(*mcp.Options), sure func(Called) bool) ([]Called, error) {
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
	return p.callIn(ctx, s, tools), nil
}

// callIn calls tools one after the other in a session, without asking for progress, and returns those that answered in time.
func (p *Pass) callIn(ctx context.Context, s *mcp.Session, tools []Tool) []Called {
	var done []Called
	for _, t := range tools {
		if ex, err := p.CallIn(ctx, s, "tools/call", mcp.Object("name", t.Name, "arguments", t.Arguments)); err == nil && ex.Reply != nil {
			done = append(done, Called{t, ex})
		}
	}
	return done
}

// quickTools are some tools that may be called and are known to answer in time; those for which sure says yes stand first.
func (p *Pass) quickTools(ctx context.Context, sure func(Called) bool) ([]Tool, error) {
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

// tells reports whether notifications of a method came on account of a call.
func tells(method string) func(Called) bool {
	return func(c Called) bool {
		for _, m := range c.Exchange.Between {
			if m.Method == method {
				return true
			}
		}
		return false
	}
}

// inquires reports whether anything was asked on account of a call.
func inquires(c Called) bool { return len(questionsOf(c)) > 0 }

// helpless makes a client that has declared nothing.
func helpless(o *mcp.Options) {
	o.Roots, o.Sampling, o.Elicitation, o.Tasks = nil, nil, nil, false
}
