package front

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// staleMark is the member of _meta that marks items of a server that is down.
const staleMark = "mcptest.dev/stale"

// A view is everything that clients can see, under the names that they see. It is rebuilt on each change and immutable.
type view struct {
	tools     []shownTool
	byTool    map[string]*shownTool
	prompts   []shown
	resources []shown
	templates []shown
	byPrompt  map[string]*shown
	servers   []string // by name
}

// A shownTool is a tool as clients see it.
type shownTool struct {
	name string
	tool *catalog.Tool
	raw  json.RawMessage
}

// is reports whether the tool is unchanged.
func (s *shownTool) is(t *catalog.Tool) bool {
	return s != nil && s.tool.Version == t.Version && s.tool.Stale == t.Stale && s.tool.UpdatedAt.Equal(t.UpdatedAt) && s.tool.Key() == t.Key()
}

// A shown is a prompt, a resource or a template as clients see it.
type shown struct {
	server string
	name   string // of the server: a name or a URI
	seen   string // of the clients
	raw    json.RawMessage
}

// newView builds the view from the catalog and the servers. Unchanged items are taken from the old one.
func newView(old *view, tools []catalog.Tool, servers []string, surface func(string) *mcp.Surface, budget int) *view {
	v := &view{tools: make([]shownTool, 0, len(tools)), byTool: make(map[string]*shownTool, len(tools)), byPrompt: map[string]*shown{}, servers: servers}
	for i := range tools {
		t := &tools[i]
		name := Expose(t.Server, t.Name, budget)
		if before := old.byTool[name]; before.is(t) {
			v.tools = append(v.tools, *before)
		} else {
			v.tools = append(v.tools, shownTool{name, t, definition(t, name)})
		}
	}
	slices.SortFunc(v.tools, func(a, b shownTool) int { return strings.Compare(a.name, b.name) })
	for i := range v.tools {
		v.byTool[v.tools[i].name] = &v.tools[i]
	}
	for _, server := range servers {
		s := surface(server)
		if s == nil {
			continue
		}
		v.prompts = append(v.prompts, showAll(server, s.Prompts, "/name", func(name string) string { return Expose(server, name, budget) })...)
		uri := func(uri string) string { return exposeURI(server, uri) }
		v.resources = append(v.resources, showAll(server, s.Resources, "/uri", uri)...)
		v.templates = append(v.templates, showAll(server, s.Templates, "/uriTemplate", uri)...)
	}
	for _, list := range [][]shown{v.prompts, v.resources, v.templates} {
		slices.SortStableFunc(list, func(a, b shown) int { return strings.Compare(a.seen, b.seen) }) // pages start after a name
	}
	for i := range v.prompts {
		v.byPrompt[v.prompts[i].seen] = &v.prompts[i]
	}
	return v
}

// showAll renames the items of a list; malformed items are skipped.
func showAll(server string, list *mcp.List, pointer string, rename func(string) string) []shown {
	if list == nil {
		return nil
	}
	var all []shown
	for _, item := range list.Items {
		if item.Odd != "" {
			continue
		}
		seen := rename(item.Name)
		if raw, err := schema.Apply(item.Raw, []finding.Edit{{Pointer: pointer, Value: quoted(seen)}}); err == nil {
			all = append(all, shown{server, item.Name, seen, raw})
		}
	}
	return all
}

// definition is a tool as listed: the server's own bytes, except for the name and the stale mark.
func definition(t *catalog.Tool, name string) json.RawMessage {
	if t.Raw == nil {
		return registered(t, name)
	}
	edits := []finding.Edit{{Pointer: "/name", Value: quoted(name)}}
	meta := exposeMeta(t.Server, t.Metadata)
	if t.Stale {
		meta = marked(meta)
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

func marked(meta json.RawMessage) json.RawMessage {
	if len(bytes.TrimSpace(meta)) == 0 {
		meta = json.RawMessage("{}")
	}
	return extended(meta, []string{staleMark}, []json.RawMessage{json.RawMessage("true")})
}

// registered is the definition of a tool that was not listed by a server.
func registered(t *catalog.Tool, name string) json.RawMessage {
	members := map[string]json.RawMessage{"name": quoted(name), "inputSchema": t.Parameters, "outputSchema": t.Returns, "annotations": t.Annotations}
	if t.Parameters == nil {
		members["inputSchema"] = json.RawMessage(`{"type":"object"}`)
	}
	if t.Title != "" {
		members["title"] = quoted(t.Title)
	}
	if t.Description != "" {
		members["description"] = quoted(t.Description)
	}
	return object(members)
}

// changes lists the notifications for the differences between an old view and this one.
func (v *view) changes(old *view) []string {
	var methods []string
	same := func(a, b shownTool) bool { return a.name == b.name && bytes.Equal(a.raw, b.raw) }
	if !slices.EqualFunc(v.tools, old.tools, same) {
		methods = append(methods, toolsChanged)
	}
	equal := func(a, b shown) bool { return a.seen == b.seen && bytes.Equal(a.raw, b.raw) }
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

// owners lists the servers that a URI can belong to: one if the URI includes its server, else all that list such a
// resource, or, if none does, those with a matching template.
func (v *view) owners(uri string, sees func(server string) bool) []owner {
	server, own, named := readURI(uri)
	if named && slices.Contains(v.servers, server) {
		if sees(server) {
			return []owner{{server, own}}
		}
		return nil
	}
	var found []owner
	add := func(server string) {
		if one := (owner{server, uri}); sees(server) && !slices.Contains(found, one) {
			found = append(found, one)
		}
	}
	for _, r := range v.resources {
		if r.name == uri {
			add(r.server)
		}
	}
	if len(found) > 0 || named { // a URI of a removed server does not belong to another one
		return found
	}
	for _, t := range v.templates {
		if literal, _, _ := strings.Cut(t.name, "{"); literal != "" && strings.HasPrefix(uri, literal) {
			add(t.server)
		}
	}
	return found
}
