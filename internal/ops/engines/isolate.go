package engines

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/engine/isolate"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/safety"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// An IsolateInput is the input of Isolate.
type IsolateInput struct {
	workbench.Connection
	As               []string `json:"as,omitempty" surface:"cli" placeholder:"NAME[=KIND:VALUE]" jsonschema:"a user of the server: NAME, NAME=token:$VAR, NAME=token:@FILE, NAME=header:'HEADER: $VAR', NAME=env:VARIABLE=VALUE or NAME=signin (at least two names; repeat a name to add headers or variables)"`
	Private          []string `json:"private,omitempty" surface:"cli" placeholder:"NAME=TEXT" jsonschema:"a text that only this user may receive, such as an email address (repeatable)"`
	Tools            []string `json:"tools,omitempty" surface:"user" placeholder:"LIST" jsonschema:"also call these tools, regardless of their annotations"`
	AllowUnannotated bool     `json:"allow_unannotated,omitempty" surface:"user" jsonschema:"also call tools with neither readOnlyHint nor destructiveHint"`
	Severity         string   `json:"severity,omitempty" placeholder:"LEVEL" jsonschema:"minimum severity to report: info, warning, error or critical"`
	Format           string   `json:"format,omitempty" surface:"cli" placeholder:"FORMAT" jsonschema:"text, json, junit, sarif, tap, markdown, html, github or gitlab"`
}

// Isolate tests whether a server keeps its users apart.
var Isolate = workbench.Op[IsolateInput, *IsolateResult]{
	Uses: workbench.Frames,
	Omit: []string{"log_level"},
	Name: "isolate", Section: workbench.Test, Order: 55, Calls: true,
	Doc: "Test whether a server keeps its users apart\n\n" +
		"Connects as two or more users and sends requests with random values of one user. Searches everything that the " +
		"other\n" +
		"users receive for them, and uses sessions, tasks, event IDs and hidden resources of one user as another.\n" +
		"Only safe tools are called: those with readOnlyHint and no name or description that contradicts it.",
	Help: "The first --as owns the data that the others must not get. Use --tools or --allow-unannotated to call more " +
		"tools.\n" +
		"Exits with 1 on any finding at or above --severity (default warning), with 4 if nothing could be requested.",
	Example: "mcptest isolate --as A --as B demo" + "\n" +
		"mcptest isolate --as A --as B demo --format json",
	Run:  runIsolate,
	Text: writeIsolate,
}

// An IsolateResult is the report of a run, with what was tested.
type IsolateResult struct {
	workbench.ReportResult
	Outcome *isolate.Outcome
}

// Incomplete reports whether no request could show a leak.
func (r *IsolateResult) Incomplete() bool { return !r.Fails && !r.Outcome.Requested }

// RawJSON returns the report, with what was tested in its fields tested and not_tested.
func (r *IsolateResult) RawJSON() []byte {
	raw := r.ReportResult.RawJSON()
	if r.Format != "" {
		return raw
	}
	for _, part := range []struct {
		name  string
		areas []isolate.Area
	}{{"tested", r.Outcome.Tested}, {"not_tested", r.Outcome.NotTested}} {
		areas, err := json.MarshalIndent(append([]isolate.Area{}, part.areas...), "  ", "  ")
		if err != nil {
			return raw
		}
		raw = workbench.WithMember(raw, part.name, areas)
	}
	return raw
}

func runIsolate(ctx context.Context, w *workbench.Workbench, in *IsolateInput) (*IsolateResult, error) {
	shown := &workbench.RuleOptions{Severity: in.Severity, Format: in.Format}
	if err := shown.Check(); err != nil {
		return nil, err
	}
	if err := in.Check(); err != nil {
		return nil, err
	}
	identities, err := in.identities(ctx, w)
	if err != nil {
		return nil, err
	}
	permit := safety.Permit{Tools: workbench.Commas(in.Tools), Unannotated: in.AllowUnannotated}
	out, err := isolate.Run(ctx, isolate.Options{Identities: identities, Log: w.Log, Target: Shown(&in.Connection),
		Version: w.Version, Timeout: in.Timeout,
		May: func(tool json.RawMessage) safety.Verdict { return permit.Of(tool) },
		Step: func(done, total, findings int, text string) {
			w.Event(workbench.Event{Step: &workbench.Step{Part: "isolate", Done: done, Total: total, Findings: findings,
				Text: text}})
		}})
	if err != nil {
		return nil, err
	}
	floor := finding.Severity(in.Severity)
	if floor == "" {
		floor = finding.Warning
	}
	judged, err := shown.Report(w, out.Report, report.Options{Severity: finding.Severity(in.Severity)})
	if err != nil {
		return nil, err
	}
	judged.Fails = slices.ContainsFunc(out.Report.Findings(),
		func(f finding.Finding) bool { return f.Severity.AtLeast(floor) })
	return &IsolateResult{ReportResult: *judged, Outcome: out}, nil
}

// writeIsolate shows the report, and what was tested: an area without a test has no verdict.
func writeIsolate(out io.Writer, r *IsolateResult) error {
	if err := workbench.WriteReport(out, &r.ReportResult); err != nil || r.Format != "" && r.Format != "text" {
		return err
	}
	t := workbench.NewText(out)
	for _, part := range []struct {
		title string
		lines []isolate.Area
	}{{"tested", r.Outcome.Tested}, {"not tested", r.Outcome.NotTested}} {
		if len(part.lines) == 0 {
			continue
		}
		t.Line("")
		t.Line(t.Bold("%s", part.title))
		for _, area := range part.lines {
			t.Fill(2, fmt.Sprintf("%s: %s", area.Title, area.Text))
		}
	}
	return t.Err
}
