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
	mostCalls    = 40              // tools that are called
	callsAtOnce  = 4               // at a time
	callPatience = 3 * time.Second // with one of them, at most
)

// A Called is a tool and what a call of it with sample arguments came to.
type Called struct {
	Tool
	Exchange *mcp.Exchange // the first answer; the server was asked for progress
}

// Called lists the tools that may be called and answered in time. The calls are made once a round, in a session of their
// own, for all checks that look at results.
func (p *Pass) Called(ctx context.Context) ([]Called, error) {
	tools, err := p.Callable(ctx)
	if err != nil {
		return nil, err
	}
	done, err := remember(p, "calls", func() ([]Called, error) { return p.callAll(ctx, tools) })
	if err == nil && len(done) == 0 {
		return nil, p.Skip("no tool may be called or none answered in time; --allow NAME or --allow-calls permits more")
	}
	return done, err
}

func (p *Pass) callAll(ctx context.Context, tools []Tool) ([]Called, error) {
	if len(tools) == 0 {
		return nil, nil
	}
	s, err := p.round.open(ctx, "calls", nil)
	if err != nil {
		return nil, err
	}
	done := make([]Called, min(len(tools), mostCalls))
	slots := make(chan struct{}, callsAtOnce)
	var group sync.WaitGroup
	for i := range done {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			if ex, err := callWithProgress(ctx, s, tools[i], min(p.Timeout(), callPatience)); err == nil {
				done[i] = Called{tools[i], ex}
			}
		})
	}
	group.Wait()
	return answeredCalls(done), nil
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
