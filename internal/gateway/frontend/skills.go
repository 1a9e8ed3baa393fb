package frontend

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/gateway/naming"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// skillScheme is the scheme of the files of skills.
const skillScheme = "skill://"

// listSkills lists the skills of all servers that the caller may use. They are requested for each list: few clients
// list them, and rarely. A server that does not respond is skipped.
func (g *Gateway) listSkills(ctx context.Context, c *serve.Call) (json.RawMessage, *serve.Error) {
	p, bad := newPage(c, "skills", g.opts.Page)
	if bad != nil {
		return nil, bad
	}
	servers := g.offering(g.caller(c.Peer), mcp.SkillsExtension)
	lists := make([][]exposedItem, len(servers))
	ctx, cancel := context.WithTimeout(ctx, timeoutMargin)
	defer cancel()
	var group sync.WaitGroup
	for i, server := range servers {
		group.Go(func() { lists[i] = g.skillsOf(ctx, c, server) })
	}
	group.Wait()
	all := slices.Concat(lists...)
	slices.SortStableFunc(all, func(a, b exposedItem) int { return strings.Compare(a.seen, b.seen) })
	for _, item := range all {
		if p.has(item.seen) && !p.add(item.seen, item.raw) {
			break
		}
	}
	return p.result(), nil
}

func (g *Gateway) skillsOf(ctx context.Context, c *serve.Call, server string) []exposedItem {
	s := g.server(server)
	if s == nil {
		return nil
	}
	if _, apart := g.view.Load().byCaller[server]; apart {
		lease, err := g.leaseFor(ctx, c, s, false)
		if err != nil {
			return nil
		}
		defer lease.Release()
		s = lease.Server
		_, _ = s.Await(ctx, c.Era) // without a session there are none
	}
	session := s.Session()
	if session == nil {
		return nil
	}
	list, err := session.List(ctx, "skills/list")
	if err != nil {
		g.opts.Log.Warn("cannot list skills", "server", server, "error", err.Error())
		return nil
	}
	all := showAll(server, list, "/uri", func(uri string) string { return naming.URI(server, uri) })
	for i := range all {
		all[i].raw = edited(all[i].raw, entryEdits(server, "", all[i].raw)[1:])
	}
	return all
}

// readSkill forwards a request for a skill or a directory to its server.
func (g *Gateway) readSkill(ctx context.Context, c *serve.Call) (json.RawMessage, *serve.Error) {
	server, own, bad := g.resource(ctx, c)
	if bad == nil && g.offer(server, mcp.SkillsExtension) == nil {
		bad = serve.InvalidParams("%s has no skills", server)
	}
	if bad != nil {
		bad.Code = serve.CodeInvalidParams
		return nil, bad
	}
	result, bad := g.to(ctx, c, server, serve.With(c.Fields, "uri", rawjson.Quote(own)))
	if bad != nil {
		return nil, bad
	}
	if entry, found := schema.Get(result, "/skill"); found {
		return edited(result, entryEdits(server, "/skill", entry)), nil
	}
	return edited(result, entryEdits(server, "", result)), nil
}

// entryEdits rewrites the URIs of a skill, or of a directory, at a location in a document: its own first, if there is
// one.
func entryEdits(server, at string, entry json.RawMessage) []finding.Edit {
	var edits []finding.Edit
	add := func(pointer, uri string) {
		if uri != "" {
			edits = append(edits, finding.Edit{Pointer: at + pointer, Value: rawjson.Quote(naming.URI(server, uri))})
		}
	}
	add("/uri", schema.TextAt(entry, "/uri"))
	files, _ := schema.Get(entry, "/resources")
	elements, _ := schema.Elements(files)
	for i, file := range elements {
		add("/resources/"+strconv.Itoa(i)+"/uri", schema.TextAt(file, "/uri"))
	}
	return edits
}
