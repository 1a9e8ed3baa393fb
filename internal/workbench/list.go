package workbench

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/report"
)

// A ListInput is the input of the list operations.
type ListInput struct {
	Connection
}

// A Listing is one of a server's lists, with all pages.
type Listing struct {
	*mcp.List
	Server Summary
}

// RawJSON returns the server's own result; see mcp.List.Result for lists of several pages.
func (l *Listing) RawJSON() []byte {
	if l.Refused != nil {
		return rawError(l.Pages[len(l.Pages)-1])
	}
	return l.Result()
}

// Failed reports whether the list could not be read in full.
func (l *Listing) Failed() bool { return l.Refused != nil || len(l.Remarks()) > 0 }

// Remarks lists the entries that cannot be used.
func (l *Listing) Remarks() []string {
	var all []string
	for _, item := range l.Items {
		if item.Odd != "" {
			all = append(all, unusable(item))
		}
	}
	for _, problem := range l.Problems {
		all = append(all, "✗ "+problem)
	}
	return all
}

func unusable(item mcp.Item) string {
	return fmt.Sprintf("✗ unusable entry in frame %d: %s: %s", item.Frame, item.Odd, clip.Runes(string(item.Raw), 120))
}

func listOp(name, tool, doc, method string, entry func(*text, mcp.Item)) Op[ListInput, *Listing] {
	return Op[ListInput, *Listing]{
		Uses: Frames | Requests,
		Name: name, Tool: tool, Doc: doc, Example: "mcptest " + name + " demo", Surfaces: Page | Assistant,
		Run: func(ctx context.Context, w *Workbench, in *ListInput) (*Listing, error) {
			s, err := w.Open(ctx, &in.Connection)
			if err != nil {
				return nil, err
			}
			list, err := s.List(ctx, method)
			if err != nil {
				return nil, err
			}
			return &Listing{List: list, Server: summarize(s)}, nil
		},
		Text: func(out io.Writer, l *Listing) error { return writeListing(out, l, entry) },
	}
}

func writeListing(out io.Writer, l *Listing, entry func(*text, mcp.Item)) error {
	t := newText(out)
	if l.Refused != nil {
		t.line(t.bad("✗ list request failed: %v", l.Refused))
		return t.err
	}
	usable := 0
	for _, item := range l.Items {
		if item.Odd != "" {
			t.line(t.bad("%s", unusable(item)))
			continue
		}
		usable++
		entry(t, item)
	}
	for _, problem := range l.Problems {
		t.line(t.bad("✗ %s", problem))
	}
	t.line(t.dim("%s; %s", plural(usable, entryNoun[l.Key]), l.Server))
	return t.err
}

// entryNoun is the display name for an entry of each list.
var entryNoun = map[string]string{"tools": "tool", "resources": "resource", "resourceTemplates": "resource template", "prompts": "prompt"}

// ToolsList lists a server's tools.
var ToolsList = listOp("tools list", "", "List a server's tools\n\nShows each tool with its parameters; ? marks optional ones.",
	"tools/list", toolEntry)

// ResourcesList lists a server's resources.
var ResourcesList = listOp("resources list", "", "List a server's resources", "resources/list", resourceEntry)

// ResourcesTemplates lists a server's resource templates.
var ResourcesTemplates = listOp("resources templates", "", "List a server's resource templates", "resources/templates/list", resourceEntry)

// PromptsList lists a server's prompts.
var PromptsList = listOp("prompts list", "", "List a server's prompts", "prompts/list", promptEntry)

func toolEntry(t *text, item mcp.Item) {
	input, _ := schema.Get(item.Raw, "/inputSchema")
	line := t.bold("%s", item.Name) + report.Line(Signature(input))
	if marks := annotationMarks(item.Raw); marks != "" {
		line += "  " + t.dim("%s", marks)
	}
	t.line(line)
	t.describe(item.Raw)
}

// annotationMarks are the hints that a user should see before calling.
func annotationMarks(tool []byte) string {
	var marks []string
	for _, hint := range []struct{ pointer, value, mark string }{
		{"/annotations/readOnlyHint", "true", "read-only"},
		{"/annotations/destructiveHint", "true", "destructive"},
		{"/annotations/idempotentHint", "true", "idempotent"},
		{"/execution/taskSupport", `"required"`, "runs as a task"},
	} {
		if value, ok := schema.Get(tool, hint.pointer); ok && string(value) == hint.value {
			marks = append(marks, hint.mark)
		}
	}
	return strings.Join(marks, ", ")
}

func resourceEntry(t *text, item mcp.Item) {
	line := t.bold("%s", item.Name)
	if name := textAt(item.Raw, "/name"); name != "" {
		line += "  " + report.Line(name)
	}
	if kind := textAt(item.Raw, "/mimeType"); kind != "" {
		line += "  " + t.dim("%s", kind)
	}
	t.line(line)
	t.describe(item.Raw)
}

func promptEntry(t *text, item mcp.Item) {
	raw, _ := schema.Get(item.Raw, "/arguments")
	arguments, _ := schema.Elements(raw)
	var parts []string
	for _, a := range arguments {
		mark := "?"
		if required, _ := schema.Get(a, "/required"); string(required) == "true" {
			mark = ""
		}
		parts = append(parts, textAt(a, "/name")+mark)
	}
	t.line(t.bold("%s", item.Name) + report.Line("("+strings.Join(parts, ", ")+")"))
	t.describe(item.Raw)
}

// A Summary describes a server and its connection.
type Summary struct {
	Name, Version, Protocol string
}

func summarize(s *mcp.Session) Summary {
	return Summary{Name: textAt(s.Server, "/name"), Version: textAt(s.Server, "/version"), Protocol: s.Version}
}

// String returns the summary in one line.
func (s Summary) String() string {
	name := strings.TrimSpace(s.Name + " " + s.Version)
	if name == "" {
		name = "unnamed server"
	}
	return fmt.Sprintf("%s uses %s", report.Visible(name), report.Visible(s.Protocol))
}
