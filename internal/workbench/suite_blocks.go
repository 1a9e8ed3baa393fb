package workbench

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/engine/conform"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz"
	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

// suiteBlocks are the engines that can run inside a suite. Those that open their own sessions use the server of
// the connection that the suite runs on, regardless of its servers.
func (w *Workbench) suiteBlocks(in *RunInput) map[string]suite.BlockRunner {
	reach := func(server *suite.Server, s *mcp.Session) Connection {
		if in.open != nil {
			return Connection{open: in.open}
		}
		c := *connectionOf(server, in.Config)
		c.beside = s
		return c
	}
	return map[string]suite.BlockRunner{
		"performance": w.loadBlock(in),
		"tool_quality": {
			Expect: "- {target: min_score, matcher: {schema: {minimum: 0.5}}}\n" +
				"- {target: mean_score, matcher: {schema: {minimum: 0.7}}}\n" +
				"- {target: critical_count, matcher: {schema: {maximum: 0}}}\n",
			Run: w.qualityBlock,
		},
		"schema_lint": {
			Expect: "- {target: failing, matcher: {schema: {maximum: 0}}}\n",
			Run:    w.qualityBlock,
		},
		"conform": {
			Expect: "- {target: severity.error, exact: 0}\n- {target: broken, exact: 0}\n",
			Run:    w.conformBlock(in, reach),
		},
		"fuzz": {
			Expect: "- {target: crashes, exact: 0}\n- {target: hangs, exact: 0}\n",
			Run:    w.fuzzBlock(in, reach),
		},
	}
}

// An engineBlock runs an engine for a block of a suite.
type engineBlock = func(ctx context.Context, s *mcp.Session, server *suite.Server, with []byte) ([]byte, []finding.Finding, error)

// A fuzzWith is the options of a fuzz block.
type fuzzWith struct {
	Tool     []string `json:"tool"`
	Seed     uint64   `json:"seed"`
	Cases    int      `json:"cases"`
	Wire     bool     `json:"wire"`
	Stateful bool     `json:"stateful"`
}

// blockCases is the default number of calls in a block: a test must not take minutes.
const blockCases = 200

// fuzzBlock fuzzes a server on separate sessions: it must not break the session of the other tests.
func (w *Workbench) fuzzBlock(given *RunInput, reach func(*suite.Server, *mcp.Session) Connection) engineBlock {
	return func(ctx context.Context, s *mcp.Session, server *suite.Server, with []byte) ([]byte, []finding.Finding, error) {
		return w.runFuzzBlock(ctx, given, reach(server, s), with)
	}
}

func (w *Workbench) runFuzzBlock(ctx context.Context, given *RunInput, on Connection, with []byte) ([]byte, []finding.Finding, error) {
	asked := fuzzWith{Cases: blockCases, Seed: 1}
	if err := decodeWith(with, &asked); err != nil {
		return nil, nil, err
	}
	in := &FuzzInput{Connection: on, Tool: asked.Tool, Seed: asked.Seed, Cases: asked.Cases, Wire: asked.Wire,
		Stateful: asked.Stateful, AllowDestructive: given.AllowCalls, AllowDisruptive: given.AllowDisruptive, bySuite: true}
	opts, err := w.fuzzOptions(in)
	if err != nil {
		return nil, nil, err
	}
	var refused error
	opts.May = func(tool json.RawMessage) safety.Judgment {
		may := in.may(w, tool)
		if name := textAt(tool, "/name"); may.Calls == 0 && slices.Contains(in.Tool, name) {
			refused = onlyUser(name, safety.Of(tool).Why)
		}
		return may
	}
	opts.Step = nil // the suite reports its own progress
	result, err := fuzz.Run(ctx, opts)
	if err == nil {
		err = refused // a test of a tool that was not called must not pass
	}
	if err != nil {
		return nil, nil, err
	}
	figures := countFigures(result.Report)
	figures["fuzz"] = result.Report.Metrics // the targets fuzz.crashes and crashes are the same
	raw, err := json.Marshal(figures)
	return raw, result.Report.Findings(), err
}

// onlyUser returns the error of a block that names a tool that is not safe: only the user can permit bulk calls.
func onlyUser(tool, why string) error {
	return &UsageError{Message: fmt.Sprintf("%s is not safe to call in bulk: %s; run: mcptest run --allow-calls", tool, why)}
}

// A conformWith is the options of a conform block.
type conformWith struct {
	Rules    []string `json:"rules"`
	Skip     []string `json:"skip"`
	Severity string   `json:"severity"`
	Protocol string   `json:"protocol"`
}

// conformBlock runs the conformance checks on separate sessions: some checks end theirs.
func (w *Workbench) conformBlock(given *RunInput, reach func(*suite.Server, *mcp.Session) Connection) engineBlock {
	return func(ctx context.Context, s *mcp.Session, server *suite.Server, with []byte) ([]byte, []finding.Finding, error) {
		return w.runConformBlock(ctx, given, reach(server, s), with)
	}
}

func (w *Workbench) runConformBlock(ctx context.Context, given *RunInput, on Connection, with []byte) ([]byte, []finding.Finding, error) {
	var asked conformWith
	if err := decodeWith(with, &asked); err != nil {
		return nil, nil, err
	}
	in := &ConformInput{Connection: on, Judging: Judging{Rules: asked.Rules, Skip: asked.Skip, Severity: asked.Severity},
		AllowCalls: given.AllowCalls, AllowDisruptive: given.AllowDisruptive}
	in.Protocol = cmp.Or(asked.Protocol, in.Protocol)
	opts, err := in.options(w)
	if err != nil {
		return nil, nil, err
	}
	opts.Step = nil // the suite reports its own progress
	target, err := in.server(w)
	if err != nil {
		return nil, nil, err
	}
	out, err := w.conformBeside(ctx, &in.Connection, target, opts)
	if err != nil {
		return nil, nil, err
	}
	raw, err := json.Marshal(conformFigures(out))
	return raw, out.Report.Findings(), err
}

// conformFigures are the values that a block can check: the grade, how many checks had each result, and what
// each found. A run that reached its time limit has neither grade nor score: a test on them must not pass with
// only a part of the checks.
func conformFigures(out *conform.Outcome) map[string]any {
	figures := countFigures(out.Report)
	figures["grade"], figures["revisions"] = out.Grade, out.Revisions
	var sum conform.Area
	for _, a := range out.Areas {
		sum.Passed, sum.Failed, sum.Warned = sum.Passed+a.Passed, sum.Failed+a.Failed, sum.Warned+a.Warned
		sum.Skipped, sum.Broken = sum.Skipped+a.Skipped, sum.Broken+a.Broken
	}
	figures["passed"], figures["failed"], figures["warned"] = sum.Passed, sum.Failed, sum.Warned
	figures["skipped"], figures["broken"] = sum.Skipped, sum.Broken
	if out.Unreached() > 0 {
		delete(figures, "grade")
		delete(figures, "score")
	}
	return figures
}

// A lintWith is the options of a tool_quality block.
type lintWith struct {
	Rules    []string `json:"rules"`
	Skip     []string `json:"skip"`
	Severity string   `json:"severity"`
	Host     []string `json:"host"`
}

// qualityBlock lints the tools of a server: its figures are those of the lint, scores by tool and counts by
// severity and by rule.
func (w *Workbench) qualityBlock(ctx context.Context, s *mcp.Session, _ *suite.Server, with []byte) ([]byte, []finding.Finding, error) {
	var asked lintWith
	if err := decodeWith(with, &asked); err != nil {
		return nil, nil, err
	}
	in := &LintInput{Judging: Judging{Rules: asked.Rules, Skip: asked.Skip, Severity: asked.Severity}, Host: asked.Host}
	opts, err := in.options(w.Version)
	if err != nil {
		return nil, nil, err
	}
	opts.Protocol = s.Version
	in.On(s)
	source, err := w.tools(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	r := lint.Run(ctx, source.catalog, opts)
	figures := countFigures(r)
	figures["tool"] = toolScores(ctx, s)
	failing := 0
	for _, f := range r.Findings() {
		if opts.Counts(f) {
			failing++
		}
	}
	figures["failing"] = failing
	raw, err := json.Marshal(figures)
	return raw, r.Findings(), err
}

// countFigures are the figures of a report and the number of findings per severity and rule.
func countFigures(r *finding.Report) map[string]any {
	figures := map[string]any{}
	for name, value := range r.Metrics {
		figures[name] = value
	}
	severities := map[string]int{"info": 0, "warning": 0, "error": 0, "critical": 0}
	rules := map[string]int{}
	for _, rule := range r.Rules {
		rules[rule.ID] = 0 // so that a rule without findings can be checked
	}
	for _, f := range r.Findings() {
		severities[string(f.Severity)]++
		rules[f.Rule]++
	}
	figures["findings"], figures["severity"], figures["rule"] = len(r.Findings()), severities, rules
	return figures
}

// toolScores are the description scores, by tool.
func toolScores(ctx context.Context, s *mcp.Session) map[string]any {
	scores := map[string]any{}
	list, err := s.List(ctx, "tools/list")
	if err != nil {
		return scores
	}
	for _, item := range list.Items {
		scores[item.Name] = map[string]float64{"score": lint.ScoreOf(item.Raw).Total}
	}
	return scores
}

// decodeWith decodes the options of a block; unknown ones are an error.
func decodeWith(with []byte, into any) error {
	if len(with) == 0 {
		return nil
	}
	if err := strictJSON(with, into); err != nil {
		return &UsageError{Message: "with: " + wrongOption(err)}
	}
	return nil
}
