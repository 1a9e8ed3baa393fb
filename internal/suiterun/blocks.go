package suiterun

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
	"github.com/mcptest-dev/mcptest/internal/ops/engines"
	"github.com/mcptest-dev/mcptest/internal/ops/hosttools"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/safety"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// The default minimums of a tool_quality block.
const minScore, meanScore = 0.5, 0.7

// suiteBlocks are the engines that can run inside a suite. Those that open their own sessions use the server of
// the connection that the suite runs on, regardless of its servers.
func suiteBlocks(w *workbench.Workbench, in *RunInput) map[string]suite.BlockRunner {
	reach := func(server *suite.Server, s *mcp.Session) workbench.Connection {
		if in.Session() != nil {
			var c workbench.Connection
			c.On(in.Session())
			return c
		}
		c := *connectionOf(server, in.Config)
		c.Beside(s)
		return c
	}
	quality := func(ctx context.Context, s *mcp.Session, _ *suite.Server, with []byte) ([]byte, []finding.Finding,
		error) {
		return qualityBlock(ctx, w, s, with)
	}
	return map[string]suite.BlockRunner{
		"performance": loadBlock(w, in),
		"tool_quality": {
			Expect: fmt.Sprintf("- {target: min_score, matcher: {schema: {minimum: %v}}}\n"+
				"- {target: mean_score, matcher: {schema: {minimum: %v}}}\n"+
				"- {target: critical_count, matcher: {schema: {maximum: 0}}}\n", minScore, meanScore),
			Run: quality,
		},
		"schema_lint": {
			Expect: "- {target: failing, matcher: {schema: {maximum: 0}}}\n",
			Run:    quality,
		},
		"conform": {
			Expect: "- {target: severity.error, exact: 0}\n- {target: broken, exact: 0}\n",
			Run:    conformBlock(w, in, reach),
		},
		"locked": {
			Expect: "- {target: findings, exact: 0}\n",
			Run:    lockedBlock(w, reach),
		},
		"find": {
			Expect: "- {target: failing, exact: 0}\n",
			Run:    findBlock(w),
		},
		"fuzz": {
			Expect: "- {target: crashes, exact: 0}\n- {target: hangs, exact: 0}\n",
			Run:    fuzzBlock(w, in, reach),
		},
	}
}

// An engineBlock runs an engine for a block of a suite.
type engineBlock = func(ctx context.Context, s *mcp.Session, server *suite.Server, with []byte) ([]byte,
	[]finding.Finding, error)

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
func fuzzBlock(w *workbench.Workbench, given *RunInput,
	reach func(*suite.Server, *mcp.Session) workbench.Connection) engineBlock {
	return func(ctx context.Context, s *mcp.Session, server *suite.Server, with []byte) ([]byte, []finding.Finding,
		error) {
		return runFuzzBlock(ctx, w, given, reach(server, s), with)
	}
}

func runFuzzBlock(ctx context.Context, w *workbench.Workbench, given *RunInput, on workbench.Connection,
	with []byte) ([]byte,
	[]finding.Finding, error) {
	asked := fuzzWith{Cases: blockCases, Seed: 1}
	if err := decodeWith(with, &asked); err != nil {
		return nil, nil, err
	}
	in := &engines.FuzzInput{Connection: on, Tool: asked.Tool, Seed: asked.Seed, Cases: asked.Cases, Wire: asked.Wire,
		Stateful: asked.Stateful, AllowDestructive: given.AllowCalls, AllowDisruptive: given.AllowDisruptive}
	in.ForSuite()
	opts, err := engines.FuzzOptions(w, in)
	if err != nil {
		return nil, nil, err
	}
	var refused error
	opts.May = func(tool json.RawMessage) safety.Verdict {
		may := in.Allowed(w, tool)
		if name := schema.TextAt(tool, "/name"); may.Calls == 0 && slices.Contains(in.Tool, name) {
			refused = engines.OnlyUser(name, safety.Of(tool).Why)
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

// A conformWith is the options of a conform block.
type conformWith struct {
	Rules    []string `json:"rules"`
	Skip     []string `json:"skip"`
	Severity string   `json:"severity"`
	Protocol string   `json:"protocol"`
}

// conformBlock runs the conformance checks on separate sessions: some checks end theirs.
func conformBlock(w *workbench.Workbench, given *RunInput,
	reach func(*suite.Server, *mcp.Session) workbench.Connection) engineBlock {
	return func(ctx context.Context, s *mcp.Session, server *suite.Server, with []byte) ([]byte, []finding.Finding,
		error) {
		return runConformBlock(ctx, w, given, reach(server, s), with)
	}
}

func runConformBlock(ctx context.Context, w *workbench.Workbench, given *RunInput, on workbench.Connection,
	with []byte) ([]byte,
	[]finding.Finding, error) {
	var asked conformWith
	if err := decodeWith(with, &asked); err != nil {
		return nil, nil, err
	}
	in := &engines.ConformInput{Connection: on, RuleOptions: workbench.RuleOptions{Rules: asked.Rules, Skip: asked.Skip,
		Severity: asked.Severity},
		AllowCalls: given.AllowCalls, AllowDisruptive: given.AllowDisruptive}
	in.Protocol = cmp.Or(asked.Protocol, in.Protocol)
	opts, err := in.Options(w)
	if err != nil {
		return nil, nil, err
	}
	opts.Step = nil // the suite reports its own progress
	target, err := in.Server(w)
	if err != nil {
		return nil, nil, err
	}
	out, err := engines.ConformBeside(ctx, w, &in.Connection, target, opts)
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
func qualityBlock(ctx context.Context, w *workbench.Workbench, s *mcp.Session, with []byte) ([]byte,
	[]finding.Finding, error) {
	var asked lintWith
	if err := decodeWith(with, &asked); err != nil {
		return nil, nil, err
	}
	in := &engines.LintInput{RuleOptions: workbench.RuleOptions{Rules: asked.Rules, Skip: asked.Skip,
		Severity: asked.Severity},
		Host: asked.Host}
	opts, err := in.Options(w.Version)
	if err != nil {
		return nil, nil, err
	}
	opts.Protocol = s.Version
	in.On(s)
	source, err := engines.Tools(ctx, w, in)
	if err != nil {
		return nil, nil, err
	}
	r := lint.Run(ctx, source.Catalog, opts)
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

// findBlock ranks the tools of a server as the tool searches of hosts do.
func findBlock(w *workbench.Workbench) engineBlock {
	return func(ctx context.Context, s *mcp.Session, server *suite.Server, with []byte) ([]byte, []finding.Finding,
		error) {
		asked := &hosttools.FindBlock{As: hosttools.ServerName(&workbench.Connection{Target: server.Target}, "")}
		if err := decodeWith(with, asked); err != nil {
			return nil, nil, err
		}
		var c workbench.Connection
		c.On(s)
		figures, misses, err := hosttools.RunFindBlock(ctx, w, &c, asked)
		if err != nil {
			return nil, nil, err
		}
		raw, err := json.Marshal(figures)
		return raw, misses, err
	}
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
	if err := workbench.StrictJSON(with, into); err != nil {
		return &workbench.UsageError{Message: "with: " + wrongOption(err)}
	}
	return nil
}
