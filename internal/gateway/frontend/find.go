package frontend

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/forward"
	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/gateway/naming"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// find returns the tool that a client sees under a name; nil if there is none. It waits for a tool of a server that has
// not listed its tools yet; the error reports that the server is starting, or why it fails to start.
func (g *Gateway) find(ctx context.Context, c *serve.Call, name string) (*catalog.Tool, error) {
	v := g.viewOfName(ctx, c, name)
	if t := g.visibleTool(c, v, name); t != nil {
		return t, nil
	}
	for server, err := range v.failed {
		return nil, g.unreached(c, server, name, err)
	}
	if err := g.awaitListOf(ctx, c, name); err != nil {
		return nil, err
	}
	return g.visibleTool(c, g.viewOfName(ctx, c, name), name), nil
}

// visibleTool returns the tool that a client currently sees under a name.
func (g *Gateway) visibleTool(c *serve.Call, v *callerView, name string) *catalog.Tool {
	caller := g.caller(c.Peer)
	if seen := v.tool(name); seen != nil {
		t, _ := g.current(caller, v, seen.tool.Key(), name)
		return t
	}
	t, err := g.lookup(caller, v, name)
	if err != nil || naming.Expose(t.Server, t.Name, naming.Max-g.opts.Prefix) != name {
		return nil // it has another name, or is unknown
	}
	return t
}

// awaitListOf waits for the first list of the server that the name of a tool or a prompt belongs to, if that server has
// not listed yet. It waits at most as long as a call may take.
func (g *Gateway) awaitListOf(ctx context.Context, c *serve.Call, name string) error {
	s := g.unlisted(g.caller(c.Peer), name)
	if s == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, g.opts.Invoker.Limit())
	defer cancel()
	err := g.awaitList(ctx, s)
	if err == nil {
		return nil
	}
	return g.unreached(c, s.Name, name, err)
}

// unreached is the error of a request for an item of a server that has not listed it because of an error. A call is
// recorded.
func (g *Gateway) unreached(c *serve.Call, server, name string, err error) error {
	if c.Method == "tools/call" {
		g.opts.Invoker.NoteUnreached(invoke.Invocation{Caller: c.Peer.Caller, Arguments: c.Fields["arguments"],
			Trace: forward.TraceID(c)}, server,
			strings.TrimPrefix(strings.TrimPrefix(name, naming.Clean(server)+naming.Separator), server+"/"), err)
	}
	return &invoke.UpstreamError{Tool: name, Server: server, Err: err}
}

// unlisted returns the server that a name belongs to, if it has not listed its items yet and the caller may see it.
func (g *Gateway) unlisted(caller *access.Caller, name string) *upstream.Server {
	g.mu.Lock()
	defer g.mu.Unlock()
	for server, s := range g.servers {
		if !g.listing[server] && !g.apart[server] && naming.Belongs(name, server) && caller.Sees(server) {
			return s
		}
	}
	return nil
}

// awaitList waits until the first list of a server has been processed.
func (g *Gateway) awaitList(ctx context.Context, s *upstream.Server) error {
	for {
		g.mu.Lock()
		over, change := g.listing[s.Name] || g.servers[s.Name] != s, g.change
		g.mu.Unlock()
		if over {
			return nil
		}
		session, err := s.Await(ctx, spec.Modern)
		if err != nil {
			return err
		}
		select {
		case <-change:
		case <-session.Done():
		case <-ctx.Done():
			return s.StartingFor(context.Cause(ctx))
		}
	}
}
