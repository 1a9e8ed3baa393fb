package suiterun

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// suiteDial opens the servers of suites. With an open connection, all tests use it.
func suiteDial(w *workbench.Workbench, in *RunInput) suite.Dial {
	return func(ctx context.Context, s *suite.Server, o suite.Offers) (*mcp.Session, error) {
		if in.Session() != nil {
			return in.Session(), nil
		}
		return w.Connect(ctx, connectionOf(s, in.Config), offering(o))
	}
}

func connectionOf(s *suite.Server, config string) *workbench.Connection {
	c := &workbench.Connection{Target: cmp.Or(s.Target, s.URL), Command: slices.Concat(s.Command, s.Args), Cwd: s.Cwd,
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

// errNoResponse is returned to a server that sends a request while no test with answers is running.
var errNoResponse = errors.New("no running test has an answer")

// offering declares the capabilities that tests have answers for. Their calls provide the answers.
func offering(o suite.Offers) mcp.Options {
	var opts mcp.Options
	refuse := func(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, errNoResponse }
	if o.Elicitation {
		opts.Elicitation = refuse
	}
	if o.Sampling {
		opts.Sampling = refuse
	}
	if o.Roots {
		opts.Roots = func(context.Context) (json.RawMessage, error) { return nil, errNoResponse }
	}
	return opts
}
