package conform

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// Limits of the calls that all checks share.
const (
	mostCalls   = 40 // tools to call
	callsAtOnce = 4  // concurrent calls, if messages can be matched to calls
)

// A Called is a tool and the exchange of a call with sample arguments.
type Called struct {
	Tool
	Exchange *mcp.Exchange // the first response; the call had a progressToken
}

// A roundOfCalls is the result of the calls that checks share.
type roundOfCalls struct {
	session *mcp.Session // where the calls were made and can be continued
	done    []Called
	tokens  []string      // progress tokens of all calls, whether answered or not
	told    []mcp.Message // notifications
	later   []mcp.Item    // tools listed after the calls
}

// Called lists the tools that may be called and responded in time. The calls are made once per round, in a separate
// session, for all checks that examine results.
func (p *Pass) Called(ctx context.Context) ([]Called, error) {
	all, err := p.calls(ctx)
	if err != nil {
		return nil, err
	}
	return all.done, nil
}

// calls returns the calls of a round, at least one of which got a response.
func (p *Pass) calls(ctx context.Context) (*roundOfCalls, error) {
	tools, err := p.Callable(ctx)
	if err != nil {
		return nil, err
	}
	all, err := remember(ctx, p, "calls", func() (*roundOfCalls, error) { return p.callAll(ctx, tools) })
	if err == nil && len(all.done) == 0 {
		return nil, p.notCallable()
	}
	return all, err
}

// openCalls is calls with a session that is still open: the calls are made again if it was closed for another process.
func (p *Pass) openCalls(ctx context.Context) (*roundOfCalls, error) {
	all, err := p.calls(ctx)
	if err == nil && p.round.processes.wasClosed(all.session) {
		p.round.memory.forget("calls")
		return p.calls(ctx)
	}
	return all, err
}

func (p *Pass) notCallable() error {
	return p.Skip("no tool could be called or none responded in time; use --allow NAME or --allow-calls to call more")
}

// callsConnection is the connection on which every tool is called once.
const callsConnection = "calls"

func (p *Pass) callAll(ctx context.Context, tools []Tool) (*roundOfCalls, error) {
	if len(tools) == 0 {
		return &roundOfCalls{}, nil
	}
	h := &hearing{}
	s, err := p.round.open(ctx, callsConnection, func(o *mcp.Options) { o.OnNotification = h.hear })
	if err != nil {
		return nil, err
	}
	done := make([]Called, min(len(tools), mostCalls))
	slots := make(chan struct{}, callsAtOnce)
	if placeOf(p.Target.Transport()) != OnHTTP {
		slots = make(chan struct{}, 1) // messages that arrive meanwhile belong to the only call
	}
	var group sync.WaitGroup
	for i := range done {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			if !p.round.takeCall(tools[i].Name) {
				return
			}
			if ex, _ := callWithProgress(ctx, s, tools[i], p.Timeout()); ex != nil {
				done[i] = Called{tools[i], ex}
			}
		})
	}
	group.Wait()
	p.Silence(ctx) // for late messages
	limited, cancel := context.WithTimeout(ctx, p.Timeout())
	defer cancel()
	var later []mcp.Item
	if list, err := s.List(limited, "tools/list"); err == nil {
		later = list.Items
	}
	return &roundOfCalls{s, answeredCalls(done), tokensOf(done), h.all(), later}, nil
}

func tokensOf(all []Called) []string {
	var tokens []string
	for _, c := range all {
		if c.Exchange != nil {
			tokens = append(tokens, string(At(c.Exchange.Request.Params, "/_meta/progressToken")))
		}
	}
	return tokens
}

func callWithProgress(ctx context.Context, s *mcp.Session, t Tool, patience time.Duration) (*mcp.Exchange, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return s.Do(ctx, mcp.Request{Method: "tools/call", Params: mcp.Object("name", t.Name, "arguments", t.Arguments), Manual: true,
		Timeout: patience, OnProgress: func(mcp.Progress) {}})
}

func answeredCalls(all []Called) []Called {
	var some []Called
	for _, c := range all {
		if c.Exchange != nil && c.Exchange.Reply != nil {
			some = append(some, c)
		}
	}
	return some
}

// Result is the result of the call; nil if the call failed or is not complete.
func (c Called) Result() json.RawMessage {
	if c.Exchange.Reply.Error != nil || TextAt(c.Exchange.Reply.Result, "/resultType") == "input_required" || TextAt(c.Exchange.Reply.Result, "/resultType") == "task" {
		return nil
	}
	return c.Exchange.Reply.Result
}

// Failed reports whether the tool returned isError.
func (c Called) Failed() bool { return string(At(c.Exchange.Reply.Result, "/isError")) == "true" }
