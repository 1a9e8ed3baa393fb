package conform

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// Bounds of the calls that all checks share.
const (
	mostCalls   = 40 // tools that are called
	callsAtOnce = 4  // at a time, where it can be told what belongs to which
)

// A Called is a tool and what a call of it with sample arguments came to.
type Called struct {
	Tool
	Exchange *mcp.Exchange // the first answer; the server was asked for progress
}

// A roundOfCalls is what the calls that checks share came to.
type roundOfCalls struct {
	session *mcp.Session // where they were made, and where they can be gone on with
	done    []Called
	tokens  []string      // of progress, of every call, answered or not
	told    []mcp.Message // notifications
}

// Called lists the tools that may be called and answered in time. The calls are made once a round, in a session of their
// own, for all checks that look at results.
func (p *Pass) Called(ctx context.Context) ([]Called, error) {
	all, err := p.calls(ctx)
	if err != nil {
		return nil, err
	}
	return all.done, nil
}

// calls are the calls of a round, at least one of which was answered.
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
	return p.Skip("no tool may be called or none answered in time; --allow NAME or --allow-calls permits more")
}

func (p *Pass) callAll(ctx context.Context, tools []Tool) (*roundOfCalls, error) {
	if len(tools) == 0 {
		return &roundOfCalls{}, nil
	}
	h := &hearing{}
	s, err := p.round.open(ctx, "calls", func(o *mcp.Options) { o.OnNotification = h.hear })
	if err != nil {
		return nil, err
	}
	done := make([]Called, min(len(tools), mostCalls))
	slots := make(chan struct{}, callsAtOnce)
	if placeOf(p.Target.Transport()) != OnHTTP {
		slots = make(chan struct{}, 1) // what comes between belongs to the only call there is
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
	p.Silence(ctx) // for what comes too late
	return &roundOfCalls{s, answeredCalls(done), tokensOf(done), h.all()}, nil
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

// Result is what the call returned; nil if it was refused or is not complete.
func (c Called) Result() json.RawMessage {
	if c.Exchange.Reply.Error != nil || TextAt(c.Exchange.Reply.Result, "/resultType") == "input_required" || TextAt(c.Exchange.Reply.Result, "/resultType") == "task" {
		return nil
	}
	return c.Exchange.Reply.Result
}

// Failed reports whether the tool said that it could not do its work.
func (c Called) Failed() bool { return string(At(c.Exchange.Reply.Result, "/isError")) == "true" }
