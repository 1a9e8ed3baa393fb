package inspector

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/appview"
	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/arguments"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// listMethods are the lists that a server can have.
var listMethods = map[string]string{
	"tools": "tools/list", "resources": "resources/list", "templates": "resources/templates/list",
	"prompts": "prompts/list",
}

// List returns one of the lists of a connection; fresh requests it again.
func (i *Inspector) List(ctx context.Context, id, kind string, fresh bool) (view.List, error) {
	c, err := i.conn(id)
	if err != nil {
		return view.List{}, err
	}
	started := time.Now()
	list, err := c.list(ctx, kind, fresh)
	if err != nil {
		return view.List{}, err
	}
	out := c.view(ctx, kind, list)
	out.ElapsedNS = time.Since(started).Nanoseconds()
	return out, nil
}

// view returns a list prepared for display. A list is checked and described once.
func (c *conn) view(ctx context.Context, kind string, list *mcp.List) view.List {
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
	shown view.List
}

func describeList(kind string, list *mcp.List) view.List {
	out := view.List{Kind: kind, Items: []view.Item{}, Problems: append([]string{}, list.Problems...),
		Refused: view.RpcError(list.Refused), Frames: []int{}}
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
		return nil, view.NotFound("unknown list %q", kind).WithHint("use tools, resources, templates or prompts")
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
	c.listRead()
	return list, nil
}

// findings checks the tools, as schema-lint does, and groups the findings by the name of the tool. Tools with the same name
// have the same list, so a finding that several of them have is in it once: otherwise its size would grow with the square
// of their number.
func (c *conn) findings(ctx context.Context, list *mcp.List) map[string][]view.Finding {
	raw := make([]json.RawMessage, len(list.Items))
	for n, item := range list.Items {
		raw[n] = item.Raw
	}
	link, err := c.session()
	if err != nil {
		return nil
	}
	found := map[string][]view.Finding{}
	known := map[view.Finding]bool{}
	for _, f := range lint.RunTools(ctx, c.id, raw, &lint.Options{Protocol: link.Session.Version}).Findings() {
		if shown := showFinding(f); !known[shown] {
			known[shown] = true
			found[f.Where.Subject] = append(found[f.Where.Subject], shown)
		}
	}
	return found
}

func showFinding(f finding.Finding) view.Finding {
	out := view.Finding{Rule: f.Rule, Severity: string(f.Severity), Message: f.Message, Subject: f.Where.Subject,
		Pointer: f.Where.Pointer}
	if rule, ok := lint.Find(f.Rule); ok {
		out.Title = rule.Title()
	}
	return out
}

func showFixes(fixes []finding.Fix) []view.Fix {
	var all []view.Fix
	for _, fix := range fixes {
		shown := view.Fix{Message: fix.Message, Edits: []view.Edit{}}
		for _, e := range fix.Edits {
			edit := view.Edit{Pointer: e.Pointer}
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
func describeItem(kind string, item mcp.Item) view.Item {
	raw := item.Raw
	out := view.Item{Name: item.Name, Title: schema.TextAt(raw, "/title"),
		Description: schema.TextAt(raw, "/description"),
		RawJSON:     string(raw), Frame: item.Frame, Odd: item.Odd}
	switch kind {
	case "tools":
		input, _ := schema.Get(raw, "/inputSchema")
		_, out.Output = schema.Get(raw, "/outputSchema")
		out.Form = arguments.Model(input).Mode == arguments.ModeForm
		out.Signature, out.TaskSupport, out.Annotations = arguments.Signature(input),
			schema.TextAt(raw, "/execution/taskSupport"), badges(raw)
		app := appview.ReadTool(raw)
		out.View, out.ForApp, out.ForModel = app.ResourceURI, app.ForApp(), slices.Contains(app.Visibility, "model")
		if out.Title == "" {
			out.Title = schema.TextAt(raw, "/annotations/title")
		}
	case "prompts":
		out.Arguments = promptArguments(raw)
	default:
		out.Label, out.MimeType = schema.TextAt(raw, "/name"), schema.TextAt(raw, "/mimeType")
		if size, ok := schema.Get(raw, "/size"); ok {
			out.Size = string(size)
		}
		if kind == "templates" {
			out.Name = schema.TextAt(raw, "/uriTemplate")
			out.Variables = view.TemplateVariables(out.Name)
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
func badges(tool json.RawMessage) []view.Badge {
	var all []view.Badge
	annotations, _ := schema.Get(tool, "/annotations")
	members, _ := schema.Members(annotations)
	for _, m := range members {
		if m.Name == "title" {
			continue
		}
		badge := view.Badge{Name: m.Name, Value: clip.Text(string(m.Value), 200),
			Text: m.Name + ": " + clip.Text(string(m.Value), 40), Tone: "plain"}
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

func promptArguments(prompt json.RawMessage) []view.PromptArgument {
	raw, _ := schema.Get(prompt, "/arguments")
	elements, _ := schema.Elements(raw)
	var all []view.PromptArgument
	for _, a := range elements {
		all = append(all, view.PromptArgument{Name: schema.TextAt(a, "/name"), Title: schema.TextAt(a, "/title"),
			Description: schema.TextAt(a, "/description"), Required: view.FlagAt(a, "/required")})
	}
	return all
}
