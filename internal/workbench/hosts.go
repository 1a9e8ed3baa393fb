package workbench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rogpeppe/go-internal/diff"

	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

// A HostsInput asks what hosts make of a tool.
type HostsInput struct {
	Tool string `json:"tool" cli:"arg" jsonschema:"the tool to look at"`
	Connection
	Host []string `json:"host,omitempty" placeholder:"LIST" jsonschema:"only these hosts"`
}

// A HostView is a tool as one host hands it to its model.
type HostView struct {
	Host    string     `json:"host"`
	Name    string     `json:"name"`
	Checked string     `json:"checked"`
	Tool    hosts.Tool `json:"tool"`
	Diff    string     `json:"diff"` // against what the server sent; empty if the host changes nothing
}

// HostViews are the views of all hosts.
type HostViews struct {
	Views []HostView `json:"views"`
}

// Hosts shows what each host would hand to its model.
var Hosts = Op[HostsInput, *HostViews]{
	Name: "hosts", Surfaces: Page | Assistant,
	Doc: "Show what each host would hand to its model\n\n" +
		"As a difference against what the server sent: names that change, constraints and descriptions that are dropped.\n" +
		"TARGET may also be a file with a captured tools/list.",
	Run:  runHosts,
	Text: writeHosts,
}

func runHosts(ctx context.Context, w *Workbench, in *HostsInput) (*HostViews, error) {
	source, err := w.tools(ctx, &LintInput{Connection: in.Connection})
	if err != nil {
		return nil, err
	}
	var definition json.RawMessage
	for _, tool := range source.catalog.Tools {
		if textAt(tool.Raw, "/name") == in.Tool {
			definition = tool.Raw
		}
	}
	if definition == nil {
		return nil, &UsageError{Message: "there is no tool " + in.Tool, Hint: "mcptest tools list shows what there is"}
	}
	wanted := commas(in.Host)
	out := &HostViews{}
	for _, p := range hosts.Profiles() {
		if len(wanted) > 0 && !contains(wanted, p.ID) {
			continue
		}
		view := hosts.View(p, definition)
		out.Views = append(out.Views, HostView{Host: p.ID, Name: p.Name, Checked: p.Checked, Tool: view, Diff: hostDiff(hosts.Read(definition), view)})
	}
	if len(out.Views) == 0 {
		return nil, &UsageError{Message: "no such host: " + strings.Join(wanted, ", "), Hint: "one of " + strings.Join(hosts.IDs(), ", ")}
	}
	return out, nil
}

func contains(list []string, id string) bool {
	for _, s := range list {
		if strings.EqualFold(s, id) || s == "all" {
			return true
		}
	}
	return false
}

// hostDiff compares two views line by line.
func hostDiff(sent, seen hosts.Tool) string {
	return string(diff.Diff("sent", hostText(sent), "seen", hostText(seen)))
}

func hostText(t hosts.Tool) []byte {
	schema := jsontext.Value(append([]byte(nil), t.Schema...))
	if err := schema.Indent(jsontext.WithIndent("  "), jsontext.AllowDuplicateNames(true), jsontext.PreserveRawStrings(true)); err != nil {
		schema = jsontext.Value(t.Schema)
	}
	return fmt.Appendf(nil, "name: %s\ndescription: %s\nparameters: %s\n", t.Name, t.Description, schema)
}

func writeHosts(out io.Writer, views *HostViews) error {
	t := newText(out)
	for _, v := range views.Views {
		t.line(t.bold("%s", v.Name) + t.dim("  (%s, as of %s)", v.Host, v.Checked))
		switch {
		case v.Tool.Lost != "":
			t.line(t.bad("  ✗ not handed on: %s", v.Tool.Lost))
		case v.Diff == "":
			t.line(t.good("  handed on as sent"))
		default:
			for _, line := range strings.Split(strings.TrimRight(v.Diff, "\n"), "\n")[3:] {
				t.diff(line)
			}
		}
	}
	return t.err
}

// diff writes a line of a difference in its colour.
func (t *text) diff(line string) {
	switch {
	case strings.HasPrefix(line, "+"):
		t.line(t.good("  %s", line))
	case strings.HasPrefix(line, "-"):
		t.line(t.bad("  %s", line))
	default:
		t.line(t.dim("  %s", line))
	}
}
