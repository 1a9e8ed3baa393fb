package lint

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

func TestSelection(t *testing.T) {
	for _, test := range []struct {
		opts Options
		yes  string
		no   string
	}{
		{Options{}, "SCH-001 SPEC-001 QUAL-003 SEC-001 anthropic/tool-name copilot/array-items",
			"openai-strict/name copilot/gpt4-dropped anthropic-strict/format"},
		{Options{Rules: []string{"sch-001", "copilot/*"}}, "SCH-001 copilot/gpt4-dropped",
			"SCH-002 anthropic/tool-name"},
		{Options{Rules: []string{"SEC"}}, "SEC-001 SEC-014", "SCH-001 copilot/array-items"},
		{Options{Rules: []string{"SCH-*"}, Skip: []string{"SCH-00[3]", "*-004"}}, "SCH-001", "SCH-004 SEC-004"},
		{Options{Hosts: []string{"openai-strict"}}, "SCH-001 openai-strict/name", "anthropic/tool-name"},
		{Options{Hosts: []string{"all"}, Skip: []string{"codex"}}, "cursor/tool-count anthropic-strict/format",
			"codex/boolean-schema"},
		{Options{Rules: []string{"SCH-001"}, Hosts: []string{"cursor"}}, "SCH-001 cursor/name-length", "SCH-002"},
	} {
		run := map[string]bool{}
		for _, r := range test.opts.selected() {
			run[r.ID] = true
		}
		for _, id := range strings.Fields(test.yes) {
			if !run[id] {
				t.Errorf("%+v does not run %s", test.opts, id)
			}
		}
		for _, id := range strings.Fields(test.no) {
			if run[id] {
				t.Errorf("%+v runs %s", test.opts, id)
			}
		}
	}
}

func TestValidate(t *testing.T) {
	for _, bad := range []Options{
		{Rules: []string{"SCH-999"}}, {Skip: []string{"nothing*"}}, {Hosts: []string{"netscape"}},
		{Protocol: "1999-01-01"}, {Severity: "grave"},
	} {
		var wrong *SelectionError
		if !errors.As(bad.Validate(), &wrong) || wrong.Problem == "" || wrong.Want == "" {
			t.Errorf("Validate(%+v) = %v, want what is wrong and what would be right", bad, bad.Validate())
		}
	}
	good := &Options{Rules: []string{"SCH", "copilot/*"}, Skip: []string{"sec-001"}, Hosts: []string{"all"},
		Protocol: "2025-06-18", Severity: finding.Info}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	if err := (*Options)(nil).Validate(); err != nil {
		t.Error(err)
	}
}

func TestFails(t *testing.T) {
	one := func(rule string, severity finding.Severity) *finding.Report {
		return &finding.Report{Results: []finding.Result{{Findings: []finding.Finding{{Rule: rule,
			Severity: severity}}}}}
	}
	for _, test := range []struct {
		rule     string
		severity finding.Severity
		opts     *Options
		want     bool
	}{
		{"SCH-001", finding.Warning, nil, true},
		{"SCH-003", finding.Critical, nil, true},
		{"SPEC-006", finding.Error, nil, true},
		{"SPEC-022", finding.Warning, nil, false},
		{"QUAL-003", finding.Info, nil, false},
		{"QUAL-003", finding.Info, &Options{Rules: []string{"QUAL-*"}}, true},
		{"QUAL-001", finding.Warning, &Options{Severity: finding.Warning}, true},
		{"QUAL-003", finding.Info, &Options{Severity: finding.Warning}, false},
		{"SCH-001", finding.Warning, &Options{Severity: finding.Error}, false},
		{"anthropic/tool-name", finding.Error, nil, false},
		{"anthropic/tool-name", finding.Error, &Options{Hosts: []string{"anthropic"}}, true},
		{"anthropic/tool-name", finding.Error, &Options{Hosts: []string{"all"}}, true},
		{"anthropic/tool-name", finding.Error, &Options{Hosts: []string{"gemini"}}, false},
		{"anthropic/tool-name", finding.Error, &Options{Severity: finding.Error}, true},
		{"anthropic/tool-name", finding.Error, &Options{Severity: finding.Critical}, false},
		{"copilot/gpt4-dropped", finding.Warning, &Options{Hosts: []string{"copilot"}}, false},
		{"copilot/gpt4-dropped", finding.Warning, &Options{Rules: []string{"copilot/gpt4-dropped"}}, true},
	} {
		if got := Fails(one(test.rule, test.severity), test.opts); got != test.want {
			t.Errorf("Fails(%s %s, %+v) = %v, want %v", test.rule, test.severity, test.opts, got, test.want)
		}
	}
	if Fails(&finding.Report{}, nil) {
		t.Error("Fails on an empty report")
	}
}

func TestRunTools(t *testing.T) {
	tools := []json.RawMessage{json.RawMessage(`{"name":"a","inputSchema":{"type":"object"}}`), json.RawMessage(`null`)}
	report := RunTools(context.Background(), "demo", tools,
		&Options{Rules: []string{"SCH-002", "SPEC-001"}, Version: "1"})
	if len(report.Results) != 2 || report.Results[0].Name != "a" || report.Results[1].Name != "tools[1]" {
		t.Fatalf("results %+v, want one a tool", report.Results)
	}
	if got := len(report.Findings()); got != 2 || report.Target != "demo" || report.Engine != "lint" ||
		len(report.Rules) != 2 {
		t.Errorf("%d findings of %s %s with %d rules, want 2 of lint demo with 2", got, report.Engine, report.Target,
			len(report.Rules))
	}
	if f := report.Findings()[0]; f.Where.File != "" || f.Where.Line != 0 {
		t.Errorf("a finding on a live server names %s:%d", f.Where.File, f.Where.Line)
	}
}

func TestRunStops(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	report := RunTools(ctx, "demo", []json.RawMessage{json.RawMessage(`{"name":"a"}`)}, nil)
	if got := report.Results[0].Status(); got != finding.Skipped {
		t.Errorf("status %s, want skipped", got)
	}
}

func TestMetrics(t *testing.T) {
	tools := []json.RawMessage{
		json.RawMessage(`{"name":"a","description":"Get a user by id. Returns the name; use when the id is known.",` +
			`"inputSchema":{"type":"object","properties":{"x":{}}}}`),
		json.RawMessage(`{"name":"b","inputSchema":{"type":"object"}}`),
	}
	m := RunTools(context.Background(), "demo", tools, nil).Metrics
	for name, want := range map[string]float64{"tools": 2, "schema_criticals": 1, "schema_warnings": 3,
		"critical_count": 0, "min_score": 0.167} {
		if m[name] != want {
			t.Errorf("%s = %v, want %v", name, m[name], want)
		}
	}
	if loose := RunTools(context.Background(), "demo", tools,
		&Options{Rules: []string{"SCH"}}).Metrics; loose["critical_count"] != 0 || loose["warning_count"] != 0 {
		t.Errorf("%v: findings of SCH alone count as others", loose)
	}
	if m["mean_score"] <= m["min_score"] || m["tokens"] < 40 {
		t.Errorf("metrics %v", m)
	}
}

// TestRunAtOnce lets two runs share a catalog, as two users of one connection would.
func TestRunAtOnce(t *testing.T) {
	c := NewCatalog("demo", []json.RawMessage{json.RawMessage(`{"name":"a","inputSchema":{"type":"object",` +
		`"properties":{"x":{}}}}`)})
	want := show(Run(context.Background(), c, nil))
	got := make(chan string)
	for range 2 {
		go func() { got <- show(Run(context.Background(), c, nil)) }()
	}
	for range 2 {
		if text := <-got; text != want {
			t.Errorf("two runs at once:\n%s, want\n%s", text, want)
		}
	}
}
