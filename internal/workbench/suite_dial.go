package workbench

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// suiteDial opens the servers of suites. On an open connection all tests run there.
func (w *Workbench) suiteDial(in *RunInput) suite.Dial {
	return func(ctx context.Context, s *suite.Server, o suite.Offers, answer suite.Answer) (*mcp.Session, error) {
		if in.open != nil {
			return in.open, nil
		}
		return w.connect(ctx, connectionOf(s, in.Config), offering(o, answer))
	}
}

func connectionOf(s *suite.Server, config string) *Connection {
	c := &Connection{Target: cmp.Or(s.Target, s.URL), Command: slices.Concat(s.Command, s.Args), Cwd: s.Cwd,
		Protocol: s.Protocol, Timeout: s.Timeout, LogLevel: s.LogLevel, Config: config}
	for name, value := range s.Env {
		c.Env = append(c.Env, name+"="+value)
	}
	for name, value := range s.Headers {
		c.Header = append(c.Header, name+": "+value)
	}
	slices.Sort(c.Env)
	slices.Sort(c.Header)
	return c
}

// offering declares what tests have answers for, and lets them answer.
func offering(o suite.Offers, answer suite.Answer) mcp.Options {
	var opts mcp.Options
	by := func(method string) func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return func(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
			return answer(ctx, method, params)
		}
	}
	if o.Elicitation {
		opts.Elicitation = by("elicitation/create")
	}
	if o.Sampling {
		opts.Sampling = by("sampling/createMessage")
	}
	if o.Roots {
		opts.Roots = func(ctx context.Context) (json.RawMessage, error) { return answer(ctx, "roots/list", nil) }
	}
	return opts
}
