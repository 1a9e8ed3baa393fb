package engines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/appview"
	"github.com/mcptest-dev/mcptest/internal/chromium"
	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/render"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/ops/requests"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// An AppInput is the input of App.
type AppInput struct {
	Tool string   `json:"tool" cli:"arg" jsonschema:"the tool whose view to render"`
	Arg  []string `json:"arg,omitempty" placeholder:"K=V" jsonschema:"argument of the call, converted according to the schema"`
	Args string   `json:"args,omitempty" placeholder:"JSON" empty:"no" jsonschema:"all arguments of the call as a JSON object"`
	workbench.Connection
	ReferencePolicy bool   `json:"reference_policy,omitempty" jsonschema:"use the content security policy of the reference host of MCP Apps, which allows eval, and code from blob: and data: URLs"`
	Out             string `json:"out,omitempty" surface:"cli" placeholder:"DIR" jsonschema:"write the screenshots light.png, dark.png and 320px.png to DIR"`
	Browser         string `json:"browser,omitempty" surface:"cli" placeholder:"PATH" jsonschema:"use this Chromium or Chrome (default: an installed one)"`
	Severity        string `json:"severity,omitempty" placeholder:"LEVEL" jsonschema:"minimum severity to show: info, warning, error or critical"`
	Format          string `json:"format,omitempty" surface:"cli" placeholder:"FORMAT" jsonschema:"text, json, junit, sarif, tap, markdown, html, github or gitlab"`
}

// App renders the view of a tool.
var App = workbench.Op[AppInput, *AppResult]{
	Uses: workbench.Frames,
	Name: "app", Section: workbench.Test, Order: 77,
	Doc: "Render the view of a tool and check it\n\n" +
		"Calls the tool, and shows its view (MCP Apps) in an installed Chromium or Chrome without a window: in light and\n" +
		"dark, 320 pixels wide, with a failed and with a cancelled call. Reports how the view starts, errors, blocked\n" +
		"loads with the missing entry of its policy, a height that does not settle, and requests that hosts reject.",
	Help: "A view may call the tools of its server that are for apps; it reaches no other origin than its policy\n" +
		"declares. Exits with 1 on any error, and with 4 if no browser is installed.",
	Example: "mcptest app show_chart --args '{\"year\":2026}' --out screenshots https://host.example/mcp",
	Run:     runApp,
	Text:    writeApp,
}

// An AppResult is the report of a run.
type AppResult struct {
	workbench.ReportResult
	Missing   string   `json:"-"` // why nothing was rendered
	Files     []string `json:"-"` // the screenshots
	Failure   string   `json:"-"` // what the tool returned, if its call failed
	Reference bool     `json:"-"` // shown with the policy of the reference host
}

// Incomplete reports whether the view was not rendered.
func (r *AppResult) Incomplete() bool { return r.Missing != "" }

func runApp(ctx context.Context, w *workbench.Workbench, in *AppInput) (*AppResult, error) {
	shown := &workbench.RuleOptions{Severity: in.Severity, Format: in.Format}
	if err := shown.Check(); err != nil {
		return nil, err
	}
	if err := in.makeOut(w); err != nil {
		return nil, err
	}
	if in.Browser != "" {
		if err := w.MayUseFiles(); err != nil {
			return nil, err
		}
		if _, err := exec.LookPath(in.Browser); err != nil {
			return in.missing(w, shown, fmt.Sprintf("--browser %s: no such program", in.Browser))
		}
	}
	opts, err := in.view(ctx, w)
	if err != nil {
		return nil, err
	}
	if opts.Browser = in.Browser; opts.Browser == "" {
		if opts.Browser, err = chromium.Find(); err != nil {
			return in.missing(w, shown, err.Error()+"; install one, or pass its path with --browser")
		}
	}
	out, err := render.Run(ctx, *opts, Shown(&in.Connection), func(done, total int) {
		w.Event(workbench.Event{Step: &workbench.Step{Part: "app", Done: done, Total: total}})
	})
	if err != nil {
		return nil, err
	}
	judged, err := shown.Report(w, out.Report, report.Options{Severity: finding.Severity(in.Severity)})
	if err != nil {
		return nil, err
	}
	judged.Fails = hasError(out.Report)
	result := &AppResult{ReportResult: *judged, Reference: in.ReferencePolicy}
	if calls.IsError(opts.Result) {
		result.Failure = clip.Text(schema.TextAt(opts.Result, "/content/0/text"), 200)
	}
	return result, result.save(w, in.Out, out.Pictures)
}

func hasError(r *finding.Report) bool {
	for _, f := range r.Findings() {
		if f.Severity.AtLeast(finding.Error) {
			return true
		}
	}
	return false
}

// missing returns a report in which nothing was checked.
func (in *AppInput) missing(w *workbench.Workbench, shown *workbench.RuleOptions, why string) (*AppResult, error) {
	judged, err := shown.Report(w, render.Skipped(Shown(&in.Connection), w.Version, why), report.Options{})
	if err != nil {
		return nil, err
	}
	return &AppResult{ReportResult: *judged, Missing: why}, nil
}

// view calls the tool and reads its view.
func (in *AppInput) view(ctx context.Context, w *workbench.Workbench) (*render.Options, error) {
	call := &requests.CallInput{Tool: in.Tool, Arg: in.Arg, Args: in.Args}
	given, err := call.Given(w)
	if err != nil {
		return nil, err
	}
	s, err := w.Open(ctx, &in.Connection)
	if err != nil {
		return nil, err
	}
	tools, err := s.List(ctx, "tools/list")
	if err != nil {
		return nil, err
	}
	item, ok := tools.Find(in.Tool)
	if !ok {
		return nil, &workbench.UsageError{Message: "unknown tool " + in.Tool, Hint: hint.Text(toolsWithViews(tools.Items))}
	}
	tool := item.Raw
	opts := &render.Options{Tool: tool, Version: w.Version, Request: sender(s)}
	uri := appview.ReadTool(tool).ResourceURI
	if uri == "" {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("the tool %q declares no view", in.Tool),
			Hint: hint.Text(toolsWithViews(tools.Items) +
				"; to add a view, set _meta.ui.resourceUri in the definition of the tool")}
	}
	if opts.Arguments, err = requests.Prepare(ctx, w, call, tool, given); err != nil {
		var invalid *workbench.UsageError
		if errors.As(err, &invalid) {
			invalid.Hint = "pass the arguments with {--arg} or {--args}"
		}
		return nil, err
	}
	if opts.Resource, err = readView(ctx, s, uri); err != nil {
		return nil, err
	}
	opts.Resource.CSP.Reference = in.ReferencePolicy
	for _, item := range tools.Items {
		opts.Tools = append(opts.Tools, item.Raw)
	}
	request := &calls.Call{Method: calls.Tool, Name: in.Tool, Arguments: opts.Arguments, Definition: tool}
	outcome, err := request.Send(ctx, s, nil)
	if err != nil {
		return nil, err
	}
	if opts.Result = outcome.Reply.Result; opts.Result == nil { // the view gets errors as hosts pass them on
		message := schema.TextAt(outcome.Reply.Frame.Body, "/error/message")
		opts.Result = mcp.Object("content", []json.RawMessage{mcp.Object("type", "text", "text", message)}, "isError", true)
	}
	return opts, nil
}

// toolsWithViews lists the tools that can be rendered, for a hint.
func toolsWithViews(items []mcp.Item) string {
	var names []string
	for _, item := range items {
		if t := appview.ReadTool(item.Raw); t.ResourceURI != "" && slices.Contains(t.Visibility, "model") {
			names = append(names, item.Name)
		}
	}
	if len(names) == 0 {
		return "no tool of the server declares a view"
	}
	return clip.Text("tools with a view: "+strings.Join(names, ", "), 300)
}

// readView reads the resource of a view, and its entry in the list.
func readView(ctx context.Context, s *mcp.Session, uri string) (*appview.Resource, error) {
	var entry json.RawMessage
	if s.Declares("resources") {
		list, err := s.List(ctx, "resources/list")
		if err != nil {
			return nil, err
		}
		if item, ok := list.Find(uri); ok {
			entry = item.Raw
		}
	}
	result, failure := sender(s)(ctx, "resources/read", mcp.Object("uri", uri))
	if failure != nil {
		return nil, fmt.Errorf("resources/read %s: %s", uri, schema.TextAt(failure, "/message"))
	}
	return appview.ReadResource(uri, entry, result)
}

// sender sends requests of a view.
func sender(s *mcp.Session) func(context.Context, string, json.RawMessage) (result, failure json.RawMessage) {
	return func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, json.RawMessage) {
		ex, err := s.Do(ctx, mcp.Request{Method: method, Params: params})
		if err != nil {
			return nil, mcp.Object("code", -32000, "message", err.Error())
		}
		if ex.Reply.Error != nil {
			failure, _ := schema.Get(ex.Reply.Frame.Body, "/error")
			return nil, failure
		}
		return ex.Reply.Result, nil
	}
}

// makeOut creates the directory of the screenshots, before anything is sent.
func (in *AppInput) makeOut(w *workbench.Workbench) error {
	if in.Out == "" {
		return nil
	}
	if err := w.MayUseFiles(); err != nil {
		return err
	}
	if err := os.MkdirAll(in.Out, 0o755); err != nil {
		return &workbench.UsageError{Message: "--out: " + err.Error(), Hint: "use a directory that is writable"}
	}
	return nil
}

// save writes the screenshots.
func (r *AppResult) save(w *workbench.Workbench, dir string, pictures []render.Picture) error {
	if dir == "" {
		return nil
	}
	for _, p := range pictures {
		name := filepath.Join(dir, p.Name+".png")
		if err := w.WriteFile(name, p.PNG); err != nil {
			return err
		}
		r.Files = append(r.Files, name)
	}
	return nil
}

func writeApp(out io.Writer, r *AppResult) error {
	if err := workbench.WriteReport(out, &r.ReportResult); err != nil || r.Format != "" && r.Format != "text" {
		return err
	}
	t := workbench.NewText(out)
	if r.Missing != "" {
		t.Line("not rendered: " + r.Missing)
	}
	if r.Failure != "" {
		t.Line("the tool returned an error, and the view was shown with it: " + r.Failure)
	}
	if r.Reference {
		t.Line("shown with the policy of the reference host; hosts that follow the specification allow less")
	}
	for _, name := range r.Files {
		t.Line("screenshot: " + name)
	}
	return t.Err
}
