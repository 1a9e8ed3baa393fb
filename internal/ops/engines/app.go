package engines

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/mcptest-dev/mcptest/internal/chromium"
	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/render"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
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
	Ignored   string   `json:"-"` // arguments that the tool does not declare
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
	result := &AppResult{ReportResult: *judged, Reference: in.ReferencePolicy, Ignored: undeclared(opts.Tool, opts.Arguments)}
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
	if r.Ignored != "" {
		t.Line("the tool may ignore " + r.Ignored)
	}
	if r.Reference {
		t.Line("shown with the policy of the reference host; hosts that follow the specification allow less")
	}
	for _, name := range r.Files {
		t.Line("screenshot: " + name)
	}
	return t.Err
}
