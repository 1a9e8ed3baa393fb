package frontend

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/naming"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// The members of _meta that mark tools of a server that is down, and tools that may not be called, with the reason.
const (
	staleMark       = "mcptest.dev/stale"
	quarantinedMark = "mcptest.dev/quarantined"
)

// A view is everything that clients can see, under the names that they see. It is rebuilt on each change and immutable.
type view struct {
	tools     []exposedTool
	byTool    map[string]*exposedTool
	prompts   []exposedItem
	resources []exposedItem
	templates []exposedItem
	byPrompt  map[string]*exposedItem
	servers   []string // by name
	// the servers that list for each caller separately, whose items are in no other list here; with a lock, what was
	// approved of each
	byCaller map[string]*view
}

// A exposedTool is a tool as clients see it.
type exposedTool struct {
	name string
	tool *catalog.Tool
	raw  json.RawMessage
}

// is reports whether the tool is unchanged.
func (s *exposedTool) is(t *catalog.Tool) bool {
	return s != nil && s.tool.Version == t.Version && s.tool.Stale == t.Stale && s.tool.Quarantined == t.Quarantined &&
		s.tool.UpdatedAt.Equal(t.UpdatedAt) && bytes.Equal(s.tool.Parameters, t.Parameters) &&
		s.tool.Key() == t.Key()
}

// A exposedItem is a prompt, a resource or a template as clients see it.
type exposedItem struct {
	server string
	name   string // of the server: a name or a URI
	seen   string // of the clients
	raw    json.RawMessage
}

// newView builds the view from the catalog and the servers. Unchanged items are taken from the old one. Of the prompts
// of a server it shows those that the function released returns.
func newView(old *view, tools []catalog.Tool, servers []string, surface func(string) *mcp.Surface,
	released func(server string, listed *mcp.List) *mcp.List, budget int) *view {
	v := &view{tools: make([]exposedTool, 0, len(tools)), byTool: make(map[string]*exposedTool, len(tools)),
		byPrompt: map[string]*exposedItem{}, servers: servers}
	for i := range tools {
		t := &tools[i]
		name := naming.Expose(t.Server, t.Name, budget)
		if before := old.byTool[name]; before.is(t) {
			v.tools = append(v.tools, *before)
		} else {
			v.tools = append(v.tools, exposedTool{name, t, definition(t, name)})
		}
	}
	slices.SortFunc(v.tools, func(a, b exposedTool) int { return strings.Compare(a.name, b.name) })
	for i := range v.tools {
		v.byTool[v.tools[i].name] = &v.tools[i]
	}
	for _, server := range servers {
		s := surface(server)
		if s == nil {
			continue
		}
		v.prompts = append(v.prompts, showAll(server, released(server, s.Prompts), "/name",
			func(name string) string { return naming.Expose(server, name, budget) })...)
		uri := func(uri string) string { return naming.URI(server, uri) }
		v.resources = append(v.resources, showAll(server, s.Resources, "/uri", uri)...)
		v.templates = append(v.templates, showAll(server, s.Templates, "/uriTemplate", uri)...)
	}
	for _, list := range [][]exposedItem{v.prompts, v.resources, v.templates} {
		// pages start after a name
		slices.SortStableFunc(list, func(a, b exposedItem) int { return strings.Compare(a.seen, b.seen) })
	}
	for i := range v.prompts {
		v.byPrompt[v.prompts[i].seen] = &v.prompts[i]
	}
	return v
}

// showAll renames the items of a list; malformed items are skipped.
func showAll(server string, list *mcp.List, pointer string, rename func(string) string) []exposedItem {
	if list == nil {
		return nil
	}
	var all []exposedItem
	for _, item := range list.Items {
		if item.Odd != "" {
			continue
		}
		seen := rename(item.Name)
		if raw, err := schema.Apply(item.Raw, []finding.Edit{{Pointer: pointer, Value: rawjson.Quote(seen)}}); err == nil {
			all = append(all, exposedItem{server, item.Name, seen, raw})
		}
	}
	return all
}

// definition is a tool as listed: the server's own bytes, except for the name and the stale mark.
func definition(t *catalog.Tool, name string) json.RawMessage {
	if t.Raw == nil {
		return registered(t, name)
	}
	edits := []finding.Edit{{Pointer: "/name", Value: rawjson.Quote(name)}}
	meta := exposeMeta(t.Server, t.Metadata)
	if t.Stale {
		meta = marked(meta, staleMark, json.RawMessage("true"))
	}
	if t.Quarantined != "" {
		meta = marked(meta, quarantinedMark, rawjson.Quote(t.Quarantined))
	}
	if !bytes.Equal(meta, t.Metadata) {
		edits = append(edits, finding.Edit{Pointer: "/_meta", Value: meta})
	}
	raw, err := schema.Apply(t.Raw, edits)
	if err != nil {
		return registered(t, name)
	}
	return raw
}

func marked(meta json.RawMessage, name string, value json.RawMessage) json.RawMessage {
	if len(bytes.TrimSpace(meta)) == 0 {
		meta = json.RawMessage("{}")
	}
	return serve.Extend(meta, []string{name}, []json.RawMessage{value})
}

// registered is the definition of a tool that was not listed by a server.
func registered(t *catalog.Tool, name string) json.RawMessage {
	members := map[string]json.RawMessage{"name": rawjson.Quote(name), "inputSchema": t.Parameters,
		"outputSchema": t.Returns, "annotations": t.Annotations}
	if t.Parameters == nil {
		members["inputSchema"] = json.RawMessage(`{"type":"object"}`)
	}
	if t.Title != "" {
		members["title"] = rawjson.Quote(t.Title)
	}
	if t.Description != "" {
		members["description"] = rawjson.Quote(t.Description)
	}
	return serve.Object(members)
}

// changes lists the notifications for the differences between an old view and this one.
func (v *view) changes(old *view) []string {
	var methods []string
	same := func(a, b exposedTool) bool { return a.name == b.name && bytes.Equal(a.raw, b.raw) }
	if !slices.EqualFunc(v.tools, old.tools, same) {
		methods = append(methods, toolsChanged)
	}
	equal := func(a, b exposedItem) bool { return a.seen == b.seen && bytes.Equal(a.raw, b.raw) }
	if !slices.EqualFunc(v.prompts, old.prompts, equal) {
		methods = append(methods, promptsChanged)
	}
	if !slices.EqualFunc(v.resources, old.resources, equal) || !slices.EqualFunc(v.templates, old.templates, equal) {
		methods = append(methods, resourcesChanged)
	}
	return methods
}

// An owner is a server that offers a resource, with the URI that the server itself uses.
type owner struct{ server, own string }

// ownersOf lists the servers that a URI can belong to for a client: one if the URI includes its server, else all that
// list such a resource, or, if none does, those with a matching template.
func (g *Gateway) ownersOf(ctx context.Context, c *serve.Call, uri string) []owner {
	server, own, named := naming.ReadURI(uri)
	sees := g.caller(c.Peer).Sees
	if named && slices.Contains(g.view.Load().servers, server) {
		if sees(server) {
			return []owner{{server, own}}
		}
		return nil
	}
	return g.viewOf(ctx, c).owners(uri, named, sees)
}

func (v *callerView) owners(uri string, named bool, sees func(server string) bool) []owner {
	var found []owner
	add := func(server string) {
		if one := (owner{server, uri}); sees(server) && !slices.Contains(found, one) {
			found = append(found, one)
		}
	}
	for _, r := range v.allOf(resourcesOf) {
		if r.name == uri {
			add(r.server)
		}
	}
	if len(found) > 0 || named { // a URI of a removed server does not belong to another one
		return found
	}
	for _, t := range v.allOf(templatesOf) {
		if literal, _, _ := strings.Cut(t.name, "{"); literal != "" && strings.HasPrefix(uri, literal) {
			add(t.server)
		}
	}
	return found
}
