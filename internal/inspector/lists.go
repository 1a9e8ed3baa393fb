package inspector

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/arguments"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// listMethods are the lists that a server can have.
var listMethods = map[string]string{
	"tools": "tools/list", "resources": "resources/list", "templates": "resources/templates/list", "prompts": "prompts/list",
}

// List returns one of the lists of a connection; fresh requests it again.
func (i *Inspector) List(ctx context.Context, id, kind string, fresh bool) (List, error) {
	c, err := i.conn(id)
	if err != nil {
		return List{}, err
	}
	started := time.Now()
	list, err := c.list(ctx, kind, fresh)
	if err != nil {
		return List{}, err
	}
	out := c.view(ctx, kind, list)
	out.ElapsedNS = time.Since(started).Nanoseconds()
	return out, nil
}

// view returns a list prepared for display. A list is checked and described once.
func (c *conn) view(ctx context.Context, kind string, list *mcp.List) List {
	c.mu.Lock()
	known := c.views[kind]
	c.mu.Unlock()
	if known.of == list {
		return known.shown
	}
	out := describeList(kind, list)
	if kind == "tools" {
		found := c.findings(ctx, list)
		for n := range out.Items {
			out.Items[n].Findings = found[out.Items[n].Name]
		}
	}
	if ctx.Err() == nil {
		c.mu.Lock()
		c.views[kind] = listView{list, out}
		c.mu.Unlock()
	}
	return out
}

// A listView is computed from a list. It is immutable.
type listView struct {
	of    *mcp.List
	shown List
}

func describeList(kind string, list *mcp.List) List {
	out := List{Kind: kind, Items: []Item{}, Problems: append([]string{}, list.Problems...), Refused: rpcError(list.Refused), Frames: []int{}}
	for _, page := range list.Pages {
		if page.Reply != nil {
			out.Frames = append(out.Frames, page.Reply.Frame.Seq)
		}
	}
	for _, item := range list.Items {
		out.Items = append(out.Items, describeItem(kind, item))
	}
	return out
}

// list returns a list as it was last read.
func (c *conn) list(ctx context.Context, kind string, fresh bool) (*mcp.List, error) {
	method, ok := listMethods[kind]
	if !ok {
		return nil, notFound("unknown list %q", kind).hint("use tools, resources, templates or prompts")
	}
	c.mu.Lock()
	known := c.lists[kind]
	c.mu.Unlock()
	if known != nil && !fresh {
		return known, nil
	}
	link, err := c.session()
	if err != nil {
		return nil, err
	}
	list, err := link.Session.List(ctx, method)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	if c.link == link {
		c.lists[kind] = list
	}
	c.mu.Unlock()
	return list, nil
}

// findings checks the tools, as schema-lint does, and groups the findings by tool.
func (c *conn) findings(ctx context.Context, list *mcp.List) map[string][]Finding {
	raw := make([]json.RawMessage, len(list.Items))
	for n, item := range list.Items {
		raw[n] = item.Raw
	}
	link, err := c.session()
	if err != nil {
		return nil
	}
	found := map[string][]Finding{}
	for _, f := range lint.RunTools(ctx, c.id, raw, &lint.Options{Protocol: link.Session.Version}).Findings() {
		found[f.Where.Subject] = append(found[f.Where.Subject], showFinding(f))
	}
	return found
}

func showFinding(f finding.Finding) Finding {
	out := Finding{Rule: f.Rule, Severity: string(f.Severity), Message: f.Message, Subject: f.Where.Subject, Pointer: f.Where.Pointer}
	if rule, ok := lint.Find(f.Rule); ok {
		out.Title = rule.Title()
	}
	return out
}

func showFixes(fixes []finding.Fix) []Fix {
	var all []Fix
	for _, fix := range fixes {
		shown := Fix{Message: fix.Message, Edits: []Edit{}}
		for _, e := range fix.Edits {
			edit := Edit{Pointer: e.Pointer}
			if e.Value != nil {
				text := string(e.Value)
				edit.ValueJSON = &text
			}
			shown.Edits = append(shown.Edits, edit)
		}
		all = append(all, shown)
	}
	return all
}

// describeItem prepares an entry of a list for display.
func describeItem(kind string, item mcp.Item) Item {
	raw := item.Raw
	out := Item{Name: item.Name, Title: textAt(raw, "/title"), Description: textAt(raw, "/description"), RawJSON: string(raw), Frame: item.Frame, Odd: item.Odd}
	switch kind {
	case "tools":
		input, _ := get(raw, "/inputSchema")
		_, out.Output = get(raw, "/outputSchema")
		out.Form = arguments.Model(input).Mode == arguments.ModeForm
		out.Signature, out.TaskSupport, out.Annotations = workbench.Signature(input), textAt(raw, "/execution/taskSupport"), badges(raw)
		if out.Title == "" {
			out.Title = textAt(raw, "/annotations/title")
		}
	case "prompts":
		out.Arguments = promptArguments(raw)
	default:
		out.Label, out.MimeType = textAt(raw, "/name"), textAt(raw, "/mimeType")
		if size, ok := get(raw, "/size"); ok {
			out.Size = string(size)
		}
		if kind == "templates" {
			out.Name = textAt(raw, "/uriTemplate")
			out.Variables = templateVariables(out.Name)
		}
	}
	return out
}

// hints are the annotations that have a display name.
var hints = []struct{ name, value, text, tone string }{
	{"readOnlyHint", "true", "read-only", "good"},
	{"destructiveHint", "true", "destructive", "caution"},
	{"destructiveHint", "false", "not destructive", "plain"},
	{"idempotentHint", "true", "idempotent", "good"},
	{"openWorldHint", "true", "open world", "plain"},
	{"openWorldHint", "false", "closed world", "plain"},
}

// badges returns the annotations of a tool as words. They are unverified claims of the server.
func badges(tool json.RawMessage) []Badge {
	var all []Badge
	annotations, _ := get(tool, "/annotations")
	members, _ := schema.Members(annotations)
	for _, m := range members {
		if m.Name == "title" {
			continue
		}
		badge := Badge{Name: m.Name, Value: clip.Text(string(m.Value), 200), Text: m.Name + ": " + clip.Text(string(m.Value), 40), Tone: "plain"}
		known := false
		for _, h := range hints {
			if h.name == m.Name && h.value == string(m.Value) {
				badge.Text, badge.Tone, known = h.text, h.tone, true
			}
		}
		if !known && strings.HasSuffix(m.Name, "Hint") && string(m.Value) == "false" {
			continue // readOnlyHint false and the like have no meaning
		}
		all = append(all, badge)
	}
	return all
}

func promptArguments(prompt json.RawMessage) []PromptArgument {
	raw, _ := get(prompt, "/arguments")
	elements, _ := schema.Elements(raw)
	var all []PromptArgument
	for _, a := range elements {
		all = append(all, PromptArgument{Name: textAt(a, "/name"), Title: textAt(a, "/title"), Description: textAt(a, "/description"), Required: flagAt(a, "/required")})
	}
	return all
}
