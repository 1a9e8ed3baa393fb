package requests

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/arguments"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A ListInput is the input of the list operations.
type ListInput struct {
	workbench.Connection
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

// The commands that group the operations of one kind.
var (
	tools = workbench.Parent{Name: "tools", Doc: "List and call a server's tools",
		Section: workbench.Explore, Order: 20}
	resources = workbench.Parent{Name: "resources", Doc: "List and read a server's resources",
		Section: workbench.Explore, Order: 30}
	prompts = workbench.Parent{Name: "prompts", Doc: "List and get a server's prompts",
		Section: workbench.Explore, Order: 40}
)

func listOp(parent *workbench.Parent, name, doc, method string,
	entry func(*workbench.Text, mcp.Item)) workbench.Op[ListInput, *Listing] {
	return workbench.Op[ListInput, *Listing]{
		Uses: workbench.Frames | workbench.Requests,
		Name: name, Parent: parent, Doc: doc, Example: "mcptest " + name + " demo",
		Page: true,
		Run: func(ctx context.Context, w *workbench.Workbench, in *ListInput) (*Listing, error) {
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

func writeListing(out io.Writer, l *Listing, entry func(*workbench.Text, mcp.Item)) error {
	t := workbench.NewText(out)
	if l.Refused != nil {
		t.Line(t.Bad("✗ list request failed: %v", l.Refused))
		if l.Key == "skills" && l.Refused.Code == mcp.CodeMethodNotFound {
			t.Line(t.Dim("%s", noSkills))
		}
		return t.Err
	}
	usable := 0
	for _, item := range l.Items {
		if item.Odd != "" {
			t.Line(t.Bad("%s", unusable(item)))
			continue
		}
		usable++
		entry(t, item)
	}
	for _, problem := range l.Problems {
		t.Line(t.Bad("✗ %s", problem))
	}
	t.Line(t.Dim("%s; %s", workbench.Plural(usable, entryNoun[l.Key]), l.Server))
	return t.Err
}

// entryNoun is the display name for an entry of each list.
var entryNoun = map[string]string{"tools": "tool", "resources": "resource", "resourceTemplates": "resource template",
	"prompts": "prompt", "skills": "skill"}

// ToolsList lists a server's tools.
var ToolsList = listOp(&tools, "tools list", "List a server's tools\n\nShows each tool with its parameters; ? marks "+
	"optional ones.",
	"tools/list", toolEntry)

// ResourcesList lists a server's resources.
var ResourcesList = listOp(&resources, "resources list", "List a server's resources", "resources/list", resourceEntry)

// ResourcesTemplates lists a server's resource templates.
var ResourcesTemplates = listOp(&resources, "resources templates", "List a server's resource templates",
	"resources/templates/list", resourceEntry)

// PromptsList lists a server's prompts.
var PromptsList = listOp(&prompts, "prompts list", "List a server's prompts", "prompts/list", promptEntry)

func toolEntry(t *workbench.Text, item mcp.Item) {
	input, _ := schema.Get(item.Raw, "/inputSchema")
	parts := signature(t, item.Name, arguments.SignatureParts(input))
	if marks := annotationMarks(item.Raw); marks != "" {
		parts = append(parts, "  ", t.Dim("%s", marks))
	}
	t.Parts(signatureIndent, parts...)
	t.Describe(item.Raw)
}

// signatureIndent is the indentation of the parameters below a name; that of its description is less.
const signatureIndent = 8

// signature returns a name and its parameters in the parts between which a line may be broken.
func signature(t *workbench.Text, name string, parameters []string) []string {
	for i := range parameters {
		parameters[i] = report.Line(parameters[i])
	}
	return append([]string{t.Bold("%s", name) + parameters[0]}, parameters[1:]...)
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
	marks = append(marks, viewMarks(tool)...)
	return strings.Join(marks, ", ")
}

func resourceEntry(t *workbench.Text, item mcp.Item) {
	line := t.Bold("%s", item.Name)
	if name := schema.TextAt(item.Raw, "/name"); name != "" {
		line += "  " + report.Line(name)
	}
	if kind := schema.TextAt(item.Raw, "/mimeType"); kind != "" {
		line += "  " + t.Dim("%s", kind)
	}
	t.Line(line)
	t.Describe(item.Raw)
	writeViewSettings(t, item.Raw)
}

func promptEntry(t *workbench.Text, item mcp.Item) {
	raw, _ := schema.Get(item.Raw, "/arguments")
	arguments, _ := schema.Elements(raw)
	parts := []string{"("}
	for i, a := range arguments {
		mark := "?"
		if required, _ := schema.Get(a, "/required"); string(required) == "true" {
			mark = ""
		}
		if i < len(arguments)-1 {
			mark += ", "
		}
		parts = append(parts, schema.TextAt(a, "/name")+mark)
	}
	parts[len(parts)-1] += ")"
	t.Parts(signatureIndent, signature(t, item.Name, parts)...)
	t.Describe(item.Raw)
}

// A Summary describes a server and its connection.
type Summary struct {
	Name, Version, Protocol string
}

func summarize(s *mcp.Session) Summary {
	return Summary{Name: schema.TextAt(s.Server, "/name"), Version: schema.TextAt(s.Server, "/version"),
		Protocol: s.Version}
}

// String returns the summary in one line.
func (s Summary) String() string {
	name := strings.TrimSpace(s.Name + " " + s.Version)
	if name == "" {
		name = "unnamed server"
	}
	return fmt.Sprintf("%s uses %s", report.Visible(name), report.Visible(s.Protocol))
}
