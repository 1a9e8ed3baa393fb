package conform

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// Limits of the calls that all checks share.
const (
	maxCalls    = 40 // tools to call
	callsAtOnce = 4  // concurrent calls, if messages can be matched to calls
)

// A CallResult is a tool and the exchange of a call with sample arguments, or with others that the server accepts.
type CallResult struct {
	Tool
	Exchange *mcp.Exchange // the first response; the call had a progressToken
}

// A roundOfCalls is the result of the calls that checks share.
type roundOfCalls struct {
	session  *mcp.Session // where the calls were made and can be continued
	done     []CallResult
	silent   []CallResult  // calls without a response, with what arrived meanwhile
	tokens   []string      // progress tokens of all calls, whether answered or not
	notified []mcp.Message // notifications
	later    []mcp.Item    // tools listed after the calls
	stuck    []CallResult  // calls that failed at first and got no response after a later one

	temporary string // the directory for temporary files of its process; empty if there is none

	user *elicitedUser // who responds to elicitations in the session
}

// Called lists the tools that may be called and responded in time. The calls are made once per round, in a separate
// session, for all checks that examine results.
func (p *CheckContext) Called(ctx context.Context) ([]CallResult, error) {
	all, err := p.calls(ctx)
	if err != nil {
		return nil, err
	}
	return all.done, nil
}

// calls returns the calls of a round, at least one of which got a response.
func (p *CheckContext) calls(ctx context.Context) (*roundOfCalls, error) {
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
func (p *CheckContext) openCalls(ctx context.Context) (*roundOfCalls, error) {
	all, err := p.calls(ctx)
	if err == nil && p.round.processes.wasClosed(all.session) {
		p.round.cache.remove("calls")
		return p.calls(ctx)
	}
	return all, err
}

func (p *CheckContext) notCallable() error {
	return p.Skip("no tool could be called or none responded in time")
}

// callsConnection is the connection on which every tool is called once.
const callsConnection = "calls"

func (p *CheckContext) callAll(ctx context.Context, tools []Tool) (*roundOfCalls, error) {
	if len(tools) == 0 {
		return &roundOfCalls{}, nil
	}
	h, user := &recordingSession{}, newElicitedUser()
	temporary := p.round.temporaryDirectory()
	s, err := p.round.openAt(ctx, callsConnection, func(o *mcp.Options) {
		o.OnNotification = h.record
		if o.Elicitation != nil {
			o.Elicitation = user.respond
		}
	},
		func(t *wire.Target) { unbuffered(t); withTemporary(t, temporary) })
	if err != nil {
		return nil, err
	}
	done := make([]CallResult, min(len(tools), maxCalls))
	slots := make(chan struct{}, callsAtOnce)
	if transportOf(p.Target.Transport()) != OnHTTP {
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
				done[i] = CallResult{tools[i], ex}
			}
		})
	}
	group.Wait()
	replaced := p.repeatSlow(ctx, s, done)
	tokens, stuck := p.repair(ctx, s, done)
	tokens = append(tokens, replaced...)
	p.WaitIdle(ctx) // for late messages
	limited, cancel := context.WithTimeout(ctx, p.Timeout())
	defer cancel()
	var later []mcp.Item
	if list, err := s.List(limited, "tools/list"); err == nil {
		later = list.Items
	}
	silent := slices.DeleteFunc(slices.Clone(done), func(c CallResult) bool {
		return c.Exchange == nil || c.Exchange.Reply != nil
	})
	if len(completedCalls(done)) == 0 {
		p.round.silent.Store(int32(len(silent)))
	}
	return &roundOfCalls{session: s, done: completedCalls(done), silent: silent, tokens: append(tokens, tokensOf(done)...),
		notified: h.all(), later: later, stuck: stuck, temporary: temporary, user: user}, nil
}

// unbuffered makes a Python server write its output immediately. Python buffers what is printed to a pipe: it would
// appear in the middle of a later message, or not before the process exits.
func unbuffered(t *wire.Target) {
	const variable = "PYTHONUNBUFFERED="
	if t.Env == nil {
		t.Env = wire.BaseEnv()
	}
	if !slices.ContainsFunc(t.Env, func(pair string) bool { return strings.HasPrefix(pair, variable) }) {
		t.Env = append(slices.Clone(t.Env), variable+"1")
	}
}

func tokensOf(all []CallResult) []string {
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
	return s.Do(ctx, mcp.Request{Method: "tools/call", Params: mcp.Object("name", t.Name, "arguments", t.Arguments),
		Manual:  true,
		Timeout: patience, OnProgress: func(mcp.Progress) {}})
}

func completedCalls(all []CallResult) []CallResult {
	var some []CallResult
	for _, c := range all {
		if c.Exchange != nil && c.Exchange.Reply != nil {
			some = append(some, c)
		}
	}
	return some
}

// Result is the result of the call; nil if the call failed or is not complete.
func (c CallResult) Result() json.RawMessage {
	if c.Exchange.Reply.Error != nil || schema.TextAt(c.Exchange.Reply.Result, "/resultType") == "input_required" ||
		schema.TextAt(c.Exchange.Reply.Result, "/resultType") == "task" {
		return nil
	}
	return c.Exchange.Reply.Result
}

// Failed reports whether the tool returned isError.
func (c CallResult) Failed() bool { return calls.IsError(c.Exchange.Reply.Result) }
