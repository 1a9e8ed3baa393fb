package frontend

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/forward"
	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/gateway/metatools"
	"github.com/mcptest-dev/mcptest/internal/gateway/naming"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// instructions describe the servers behind the gateway to a model.
func (g *Gateway) instructions(ctx context.Context, c *serve.Call) string {
	text := "This gateway provides the tools of several servers: " + strings.Join(g.visible(g.caller(c.Peer)), ", ") +
		"."
	switch g.opts.Expose {
	case All:
	case Auto: // what is listed depends on the tools, which may change
		text += " If catalog_search is listed, use it to find tools, describe_tool to inspect one, and invoke_tool to " +
			"run it."
	default:
		text += " Use catalog_search to find tools, describe_tool to inspect one, and invoke_tool to run it."
	}
	return text + g.missingAccounts(ctx, c)
}

// missingAccounts describes to a model what the user must do before servers list anything for it.
func (g *Gateway) missingAccounts(ctx context.Context, c *serve.Call) string {
	servers := g.view.Load().byCaller
	if len(servers) == 0 {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, accountsTimeout)
	defer cancel()
	text, caller := "", g.caller(c.Peer)
	for _, server := range slices.Sorted(maps.Keys(servers)) {
		own := g.processesOf(server)
		if own == nil || !caller.Sees(server) {
			continue
		}
		_, err := own.authorizeWithin(ctx, c.Peer.Caller)
		if missing := (*upstream.AuthorizationError)(nil); errors.As(err, &missing) && missing.Connect != "" {
			text += fmt.Sprintf(" The tools of %s are not listed until the user connects an account at %s.", server,
				missing.Connect)
		}
	}
	return text
}

// accountsTimeout is how long the description of the gateway waits for the accounts of a caller.
const accountsTimeout = time.Second

// visible lists the servers that a caller may use.
func (g *Gateway) visible(caller *access.Caller) []string {
	var names []string
	for _, name := range g.names() {
		if caller.Sees(name) {
			names = append(names, name)
		}
	}
	return names
}

// metaTools are the definitions of the meta-tools that the client may use.
func (g *Gateway) metaTools(c *serve.Call) []json.RawMessage {
	caller := g.caller(c.Peer)
	servers := g.visible(caller)
	var all []json.RawMessage
	for _, t := range metatools.All() {
		if t.Allowed(caller) {
			all = append(all, t.Definition(servers))
		}
	}
	return all
}

// callMeta runs a meta-tool; ok is false if there is none with the name.
func (g *Gateway) callMeta(ctx context.Context, c *serve.Call, name string) (result json.RawMessage, bad *serve.Error,
	ok bool) {
	t, known := metatools.Find(name)
	caller := g.caller(c.Peer)
	if !known || !t.Allowed(caller) {
		return nil, nil, false
	}
	value, passed, err := t.Call(ctx, g.host(ctx, c, caller), c.Fields["arguments"])
	var missing *catalog.NotFoundError
	if refused := (&catalog.QuarantineError{}); errors.As(err, &refused) && t.Name == metatools.InvokeTool &&
		g.refusedName(caller, refused.Key.String()) != nil { // it was not found, so that nothing has recorded it
		g.opts.Invoker.NoteRefused(invocation(c, serve.Members(c.Fields["arguments"])["arguments"]), refused)
	}
	switch {
	case errors.As(err, &missing):
		if t.Name == metatools.InvokeTool {
			g.noteUnknown(c, missing.Key.Name, serve.Members(c.Fields["arguments"])["arguments"])
		}
		return g.failed(missing), nil, true
	case wrapped(c, err):
		return g.failed(err), nil, true
	case err != nil:
		result, bad = g.responseOf(nil, err)
		return result, bad, true
	case passed:
		return value, nil, true
	}
	members := map[string]json.RawMessage{
		"content": serve.Encode([]map[string]string{{"type": "text", "text": string(value)}})}
	if !t.TextOnly() {
		members["structuredContent"] = value
	}
	return serve.Object(members), nil, true
}

// invokeWrapped runs a tool for a meta-tool. A result with isError becomes an error: the client called the meta-tool,
// and needs to know which tool failed and how it was called.
func (g *Gateway) invokeWrapped(ctx context.Context, c *serve.Call, t *catalog.Tool,
	arguments json.RawMessage) (json.RawMessage, error) {
	result, err := g.invoke(ctx, c, t, arguments)
	if err != nil || invoke.StatusOf(result) != invoke.Failure {
		return result, err
	}
	return nil, g.opts.Invoker.Failed(invoke.Invocation{Tool: t, Arguments: arguments, Caller: c.Peer.Caller,
		Trace: forward.TraceID(c)}, result)
}

// wrapped reports whether a meta-tool returns a server error in its own result: the client called the meta-tool, and
// that succeeded. Error codes defined by the protocol are returned to the client, which acts on them, and so are those
// about tasks.
func wrapped(c *serve.Call, err error) bool {
	var broken *invoke.ToolExecutionError
	var refused *mcp.RPCError
	_, task := c.Fields["task"]
	if task || !errors.As(err, &broken) || !errors.As(err, &refused) {
		return false
	}
	return refused.Code > -32020 || refused.Code < -32099
}

// host is the gateway on behalf of one caller.
func (g *Gateway) host(ctx context.Context, c *serve.Call, caller *access.Caller) *metatools.Host {
	v := sync.OnceValue(func() *callerView { return g.viewOf(ctx, c) })
	return &metatools.Host{
		Own:    func() map[string]*catalog.Listing { return v().listings },
		Caller: caller, Catalog: g.opts.Catalog, Invoker: g.opts.Invoker,
		Name: func(t *catalog.Tool) string { return naming.Expose(t.Server, t.Name, naming.Max-g.opts.Prefix) },
		Find: func(name string) (*catalog.Tool, error) {
			v := g.viewOfName(ctx, c, name)
			t, err := g.lookupForModel(caller, v, name)
			if err == nil {
				return t, nil
			}
			for server, err := range v.failed {
				return nil, g.unreached(c, server, name, err)
			}
			if err := g.awaitListOf(ctx, c, name); err != nil {
				return nil, err
			}
			t, err = g.lookupForModel(caller, g.viewOfName(ctx, c, name), name)
			if refused := g.refusedName(caller, name); err != nil && refused != nil {
				return nil, refused
			}
			return t, err
		},
		Invoke: func(ctx context.Context, t *catalog.Tool, arguments json.RawMessage) (json.RawMessage, error) {
			return g.invokeWrapped(ctx, c, t, arguments)
		},
		Servers: func() []metatools.Server { return g.about(caller, v()) },
		Resources: func() []metatools.Item {
			return append(items(caller, "resource", v().allOf(resourcesOf)), items(caller, "template", v().allOf(templatesOf))...)
		},
		Prompts: func() []metatools.Item { return items(caller, "prompt", v().allOf(promptsOf)) },
	}
}

// lookupForModel is lookup without the tools that are only for views.
func (g *Gateway) lookupForModel(caller *access.Caller, v *callerView, name string) (*catalog.Tool, error) {
	t, err := g.lookup(caller, v, name)
	if err == nil && !t.ForModel() {
		return nil, &catalog.NotFoundError{Key: catalog.Key{Name: name}}
	}
	return t, err
}

// lookup finds a tool in the catalog itself, so that a tool that was just registered is found.
func (g *Gateway) lookup(caller *access.Caller, v *callerView, name string) (*catalog.Tool, error) {
	key := catalog.Key{Name: name}
	if server, tool, ok := strings.Cut(name, "/"); ok {
		key = catalog.Key{Server: server, Name: tool}
	}
	if seen := v.tool(name); seen != nil {
		key = seen.tool.Key()
	} else if server, tool, ok := strings.Cut(name, naming.Separator); ok && naming.Unambiguous(server, tool) {
		key = catalog.Key{Server: server, Name: tool}
	}
	return g.current(caller, v, key, name)
}

// current returns a tool from the current catalog, if the caller may use it. Otherwise it does not exist for the
// caller.
func (g *Gateway) current(caller *access.Caller, v *callerView, key catalog.Key, name string) (*catalog.Tool, error) {
	t, err := g.opts.Catalog.Find(key, v.listings)
	if err != nil || !caller.May(t.Server, t.Name) {
		return nil, &catalog.NotFoundError{Key: catalog.Key{Name: name}}
	}
	g.inherit(&t, v.listings)
	return &t, nil
}

// about describes the servers that a caller may use.
func (g *Gateway) about(caller *access.Caller, v *callerView) []metatools.Server {
	var all []metatools.Server
	for _, h := range g.Health() {
		if !caller.Sees(h.Server) {
			continue
		}
		s := metatools.Server{Name: h.Server, State: string(h.State), Error: h.Error, Revision: h.Revision,
			Calls: h.Calls, Failed: h.Failed, InFlight: h.InFlight}
		s.Tools = len(g.opts.Catalog.List(catalog.Filter{Server: h.Server, Own: v.listings,
			Allow: func(t *catalog.Tool) bool { return caller.May(t.Server, t.Name) && t.ForModel() }}))
		g.describe(&s, v)
		all = append(all, s)
	}
	return all
}

// describe adds what a server says about itself. Of one that lists for each caller separately, it is what this caller
// gets, and so is its state.
func (g *Gateway) describe(s *metatools.Server, v *callerView) {
	if _, apart := v.byCaller[s.Name]; apart {
		if list := v.lists[s.Name]; list != nil {
			s.State, s.Error = string(upstream.Ready), ""
			s.Title, s.Instructions = list.title, g.guard.Instructions(s.Name, list.instructions)
		} else if err := v.failed[s.Name]; err != nil {
			s.State, s.Error = string(stateOf(err)), g.opts.Invoker.Message(err)
		}
		return
	}
	if up := g.server(s.Name); up != nil {
		if session := up.Session(); session != nil {
			s.Title, s.Instructions = titleOf(session), g.guard.Instructions(s.Name, session.Instructions)
		}
	}
}

// stateOf is the state of a server that a caller cannot use because of an error.
func stateOf(err error) upstream.State {
	var unauthorized *upstream.AuthorizationError
	var starting *upstream.StartingError
	switch {
	case errors.As(err, &unauthorized):
		return upstream.Unauthorized
	case errors.As(err, &starting):
		return upstream.Starting
	}
	return upstream.Down
}

func titleOf(session *mcp.Session) string {
	var info struct{ Title, Name string }
	_ = json.Unmarshal(session.Server, &info)
	return cmp.Or(info.Title, info.Name)
}

func items(caller *access.Caller, kind string, list []exposedItem) []metatools.Item {
	var all []metatools.Item
	for _, s := range list {
		if caller.Sees(s.server) {
			all = append(all, metatools.Item{Server: s.server, Name: s.seen, Kind: kind, Item: s.raw})
		}
	}
	return all
}
