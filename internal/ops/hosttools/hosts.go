// Package hosttools has the operations about hosts: which tools of a server they pass on to their models, and which their
// searches find, according to models of the hosts or to the hosts themselves.
package hosttools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/rogpeppe/go-internal/diff"

	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/ops/engines"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A HostsInput is the input of Hosts.
type HostsInput struct {
	Tool string `json:"tool,omitempty" cli:"optional" jsonschema:"tool to show (default: the context that all tools take); with --run, the tool that the model calls (default: a read-only one)"`
	workbench.Connection
	Host      []string `json:"host,omitempty" placeholder:"LIST" jsonschema:"only these hosts and APIs"`
	MaxTokens int      `json:"max_tokens,omitempty" placeholder:"N" jsonschema:"without TOOL: fail if the definitions and instructions take more than N tokens in a host (estimated)"`
	As        string   `json:"as,omitempty" placeholder:"NAME" jsonschema:"the name of the server in the config of the host, which is part of tool names (default: the target if it is a name, or server)"`

	Run     []string      `json:"run,omitempty" surface:"cli" placeholder:"LIST" empty:"no" jsonschema:"start these hosts with a scripted model and report what it gets, such as codex,claude-code, or all; NAME@VERSION selects a version for --fetch"`
	Args    string        `json:"args,omitempty" surface:"cli" placeholder:"JSON" jsonschema:"with --run: arguments of the tool (default: made from its schema)"`
	RunFrom string        `json:"run_from,omitempty" surface:"cli" placeholder:"DIR" empty:"no" jsonschema:"with --run: directory of the hosts, or one with their npm packages (default: PATH)"`
	Fetch   bool          `json:"fetch,omitempty" surface:"cli" jsonschema:"with --run: download hosts that are not installed with npm, into a temporary directory"`
	Within  time.Duration `json:"within,omitempty" surface:"cli" placeholder:"D" jsonschema:"with --run: time limit for each host (default 2m)"`
}

// A HostView is a tool as one host presents it to its model.
type HostView struct {
	Host    string     `json:"host"`
	Name    string     `json:"name"`
	API     bool       `json:"api,omitempty"`     // an API of a model provider, not a host
	Version string     `json:"version,omitempty"` // of the host that was run; empty if none was
	Checked string     `json:"checked"`
	Tool    hosts.Tool `json:"tool"`
	Diff    string     `json:"diff"` // against what the server sent; empty if the host changes nothing

	Problems []HostProblem `json:"problems,omitempty"` // problems of the host with the tool, by its rules
}

// A HostProblem is something that a host rejects, drops or changes.
type HostProblem struct {
	Rule    string       `json:"rule"`
	Breaks  hosts.Breaks `json:"breaks"` // what is lost
	Pointer string       `json:"pointer,omitempty"`
	Message string       `json:"message"`
}

// Refused reports whether the host rejects the tool.
func (p HostProblem) Refused() bool { return p.Breaks == hosts.Session || p.Breaks == hosts.LosesTool }

// HostViews are the views of all hosts, or what hosts did that were started.
type HostViews struct {
	Views   []HostView     `json:"views"`
	Budgets []hosts.Budget `json:"budgets,omitempty"` // without a tool
	Runs    []HostRun      `json:"runs,omitempty"`

	maxTokens int // in a host; 0 for no limit
}

// Hosts shows what each host presents to its model.
var Hosts = workbench.Op[HostsInput, *HostViews]{
	Uses: workbench.Frames | workbench.Requests,
	Name: "hosts", Section: workbench.Test, Order: 60, FileTarget: true, Page: true,
	Doc: "Show how each host presents the tools to its model\n\n" +
		"Lists first what the host rejects, then the difference from what the server sent: changed names, dropped " +
		"constraints and\n" +
		"dropped descriptions. Without TOOL, shows how much of the context of the model the server takes in each host.",
	Help: "With --run, mcptest starts the hosts themselves, each in a temporary home directory and without network " +
		"where\nthe system allows that, and plays their model. They get nothing of your own config or credentials. A host uses " +
		"a URL\nover stdio, and mcptest passes its messages on. Exits with 1 if a tool does not reach the model of a host.\n\n" +
		"Profiles with a version reproduce a run of that version of the host; the others come from documentation " +
		"and source\n" +
		"code. TARGET may also be a file with a captured tools/list.",
	Example: "mcptest hosts price_order demo --host gemini-cli,codex" + "\n" +
		"mcptest hosts demo --max-tokens 20000",
	Run:  runHosts,
	Text: writeHosts,
}

func runHosts(ctx context.Context, w *workbench.Workbench, in *HostsInput) (*HostViews, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	if len(in.Run) > 0 {
		return startHosts(ctx, w, in)
	}
	source, err := engines.Tools(ctx, w, &engines.LintInput{Connection: in.Connection})
	if err != nil {
		return nil, err
	}
	if in.Tool == "" {
		return contextBudget(in, source)
	}
	var definition json.RawMessage
	for _, tool := range source.Catalog.Tools {
		if schema.TextAt(tool.Raw, "/name") == in.Tool {
			definition = tool.Raw
		}
	}
	if definition == nil {
		return nil, &workbench.UsageError{Message: "unknown tool " + in.Tool, Hint: "run: {mcptest tools list}"}
	}
	profiles, err := selectHosts(workbench.Commas(in.Host))
	if err != nil {
		return nil, err
	}
	problems := hostProblems(ctx, definition, profiles, source.Protocol)
	out, sent := &HostViews{}, hosts.Read(definition)
	for _, p := range profiles {
		view := hosts.View(p, ServerName(&in.Connection, in.As), sent)
		out.Views = append(out.Views, HostView{Host: p.ID, Name: p.Name, API: p.API, Version: p.Version,
			Checked: p.Checked, Tool: view,
			Diff: hostDiff(sent, view), Problems: problems[p.ID]})
	}
	return out, ctx.Err()
}

// ServerName returns the name of the server in the config of a host: the given name, the target if it is a name, or a
// placeholder.
func ServerName(c *workbench.Connection, given string) string {
	if given != "" {
		return given
	}
	if name := c.Target; name != "" && !strings.ContainsAny(name, `/\: `) && !strings.HasSuffix(name, ".json") &&
		name != "-" {
		return name
	}
	return "server"
}

// selectHosts finds the profiles by ID; none, or all, means every one.
func selectHosts(wanted []string) ([]hosts.Profile, error) {
	for _, id := range wanted {
		if _, ok := hosts.Find(strings.ToLower(id)); !ok && id != "all" {
			return nil, &workbench.UsageError{Message: fmt.Sprintf("unknown host %q", id),
				Hint: hint.Text("use all, or some of " + strings.Join(hosts.IDs(), ", "))}
		}
	}
	return slices.DeleteFunc(hosts.Profiles(), func(p hosts.Profile) bool {
		return len(wanted) > 0 && !slices.ContainsFunc(wanted,
			func(id string) bool { return id == "all" || strings.EqualFold(id, p.ID) })
	}), nil
}

// hostProblems checks the tool against the rules of the hosts. Rules about whole catalogs see a catalog with
// only this tool.
func hostProblems(ctx context.Context, definition json.RawMessage, profiles []hosts.Profile,
	protocol string) map[string][]HostProblem {
	var ids []string
	for _, p := range profiles {
		ids = append(ids, p.ID)
	}
	judged := lint.RunTools(ctx, "", []json.RawMessage{definition},
		&lint.Options{Rules: ids, Hosts: ids, Protocol: protocol})
	found := map[string][]HostProblem{}
	for _, f := range judged.Findings() {
		rule, _ := lint.Find(f.Rule)
		host := rule.Family()
		found[host] = append(found[host], HostProblem{Rule: f.Rule, Breaks: rule.Breaks, Pointer: f.Where.Pointer,
			Message: f.Message})
	}
	return found
}

// hostDiff compares two views line by line.
func hostDiff(sent, seen hosts.Tool) string {
	if seen.Namespace == "" && sent.Name == seen.Name && sent.Description == seen.Description &&
		bytes.Equal(sent.Schema, seen.Schema) {
		return ""
	}
	return string(diff.Diff("sent", hostText(sent), "seen", hostText(seen)))
}

func hostText(t hosts.Tool) []byte {
	schema := jsontext.Value(append([]byte(nil), t.Schema...))
	if err := schema.Indent(jsontext.WithIndent("  "), jsontext.AllowDuplicateNames(true),
		jsontext.PreserveRawStrings(true)); err != nil {
		schema = jsontext.Value(t.Schema)
	}
	namespace := ""
	if t.Namespace != "" {
		namespace = "namespace: " + t.Namespace + "\n"
	}
	return fmt.Appendf(nil, "%sname: %s\ndescription: %s\nparameters: %s\n", namespace, t.Name, t.Description, schema)
}

func writeHosts(out io.Writer, views *HostViews) error {
	t := workbench.NewText(out)
	writeBudgets(t, views)
	for _, r := range views.Runs {
		r.write(t)
	}
	for _, v := range views.Views {
		t.Line(t.Bold("%s", v.Name) + t.Dim("  (%s)", v.basis()))
		refused, dropped := v.split()
		problems(t, refused, "✗ rejected", t.Bad)
		switch {
		case v.Tool.Unknown != "":
			t.Line(t.Dim("  ? not checked: %s", v.Tool.Unknown))
		case v.Tool.LosesServer:
			t.Line(t.Bad("  ✗ no tool of the server arrives: %s", v.Tool.Lost))
		case v.Tool.Lost != "" && len(refused) == 0:
			t.Line(t.Bad("  ✗ dropped: %s", v.Tool.Lost))
		case v.Tool.Lost != "":
		case v.Diff == "" && len(refused) == 0 && len(dropped) == 0:
			t.Line(t.Good("  passed through unchanged"))
		case v.Diff != "":
			for _, line := range strings.Split(strings.TrimRight(v.Diff, "\n"), "\n")[3:] {
				colorDiff(t, line)
			}
		}
		problems(t, dropped, "~ relaxed", t.Dim)
	}
	return t.Err
}

// basis returns on what the view is based.
func (v *HostView) basis() string {
	if v.Version != "" {
		return fmt.Sprintf("%s %s, run on %s", v.Host, v.Version, v.Checked)
	}
	return fmt.Sprintf("%s, from its documentation as of %s", v.Host, v.Checked)
}

// split separates what makes the host reject the tool from what it drops silently.
func (v *HostView) split() (refused, dropped []HostProblem) {
	for _, p := range v.Problems {
		switch {
		case p.Refused():
			refused = append(refused, p)
		case p.Breaks == hosts.Constraint:
			dropped = append(dropped, p)
		}
	}
	return refused, dropped
}

// maxProblems is how many problems of a kind are shown in text output; a large schema has thousands.
const maxProblems = 10

func problems(t *workbench.Text, list []HostProblem, mark string, paint func(string, ...any) string) {
	for i, p := range list {
		if i == maxProblems {
			t.Line(paint("  %s: %d more", mark, len(list)-i))
			return
		}
		lost := ""
		if p.Refused() {
			lost = "; affects the " + string(p.Breaks)
		}
		t.Line(paint("  %s: %s", mark, report.Line(strings.TrimSpace(p.Pointer+" "+p.Message))) +
			t.Dim("  (%s%s)", p.Rule, lost))
	}
}

// colorDiff writes a line of a diff in its color.
func colorDiff(t *workbench.Text, line string) {
	switch {
	case strings.HasPrefix(line, "+"):
		t.Line(t.Good("  %s", line))
	case strings.HasPrefix(line, "-"):
		t.Line(t.Bad("  %s", line))
	default:
		t.Line(t.Dim("  %s", line))
	}
}
