// Package suiterun loads, runs, validates, writes and lints suites.
package suiterun

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/cases"
	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/match"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A RunInput is the input of RunSuites.
type RunInput struct {
	workbench.Connection `cli:"-"`
	workbench.Limit      `cli:"-"`
	Suite                string   `json:"suite,omitempty" cli:"-" max:"262144" jsonschema:"the suite as YAML; its tests run on the open connection regardless of the servers it lists, and cannot read environment variables"`
	Paths                []string `json:"paths,omitempty" surface:"cli" cli:"rest" placeholder:"FILE|DIR|GLOB" jsonschema:"suite files, directories or globs (default: mcptest.yaml and tests/**/*.mcptest.yaml)"`
	Config               string   `json:"config,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"read servers from this config file, instead of the hosts' config files"`
	Filter               string   `json:"filter,omitempty" short:"k" placeholder:"TEXT" jsonschema:"run only tests whose ID contains this text or matches this regular expression"`
	LastFailed           bool     `json:"last_failed,omitempty" surface:"cli" jsonschema:"run only the tests that failed when they last ran; all if none did"`
	Tag                  []string `json:"tag,omitempty" placeholder:"TAG" jsonschema:"run only tests with this tag"`
	SkipTag              []string `json:"skip_tag,omitempty" placeholder:"TAG" jsonschema:"skip tests with this tag"`
	Shard                string   `json:"shard,omitempty" surface:"cli" placeholder:"N/M" jsonschema:"run only shard N of M"`
	Timings              string   `json:"timings,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"JSON report of an earlier run, to balance shards by duration"`
	Parallel             int      `json:"parallel,omitempty" placeholder:"N" jsonschema:"maximum number of parallel tests (default: the number of CPUs)"`
	Retries              int      `json:"retries,omitempty" placeholder:"N" jsonschema:"retry failed tests up to N times"`
	FailOnFlaky          bool     `json:"fail_on_flaky,omitempty" jsonschema:"treat flaky tests (passed on retry) as failures"`
	Bail                 bool     `json:"bail,omitempty" jsonschema:"stop at the first failure"`
	List                 bool     `json:"list,omitempty" surface:"cli" jsonschema:"list the selected tests without running them"`
	Watch                bool     `json:"watch,omitempty" surface:"cli" jsonschema:"run again when a file changes"`
	UpdateSnapshots      bool     `json:"update_snapshots,omitempty" surface:"cli" jsonschema:"update snapshots"`
	AllowCIUpdate        bool     `json:"allow_ci_update,omitempty" surface:"cli" jsonschema:"allow --update-snapshots if CI=true"`
	AllowCalls           bool     `json:"allow_calls,omitempty" surface:"user" jsonschema:"let conform, fuzz and performance blocks call tools that are not safe"`
	AllowDisruptive      bool     `json:"allow_disruptive,omitempty" surface:"user" jsonschema:"let conform, fuzz and performance blocks run disruptive tests against remote servers"`
	Reporter             []string `json:"reporter,omitempty" surface:"cli" placeholder:"NAME[=FILE]" jsonschema:"text, json, junit, sarif, tap, markdown, html, github or gitlab; repeatable, with a file each"`
}

// Run runs suites.
var Run = workbench.Op[RunInput, *RunResult]{
	Uses: workbench.Frames,
	Name: "run", Section: workbench.Maintain, Order: 20, Tool: "run_suite", Page: true, Calls: true,
	Doc: "Run test suites\n\n" +
		"A test makes a call and defines what the response must match.",
	Help: "Without FILE it runs mcptest.yaml and tests/**/*.mcptest.yaml. Exits with 1 if a test failed, with 2 if a " +
		"file is\n" +
		"invalid or no tests match the selection, with 3 if a server could not be reached or crashed.",
	Example: "mcptest run" + "\n" +
		"mcptest run mcptest.yaml --tag smoke --reporter junit=junit.xml",
	Run:  runSuites,
	Text: func(out io.Writer, r *RunResult) error { return r.write(out) },
}

// A RunResult is the report of a run, or the list of its tests.
type RunResult struct {
	workbench.ReportResult
	Listed []string // with --list

	flakyFails bool
	stopped    bool
}

// Interrupted reports whether the run was stopped early.
func (r *RunResult) Interrupted() bool { return r.stopped }

// Failed reports whether a test failed.
func (r *RunResult) Failed() bool {
	if r.Report == nil {
		return false
	}
	m := r.Report.Metrics
	return m["failed"] > 0 || m["broken"] > 0 || r.flakyFails && m["flaky"] > 0
}

// Unreached reports whether a server could not be reached or crashed.
func (r *RunResult) Unreached() bool { return r.Report != nil && r.Report.Metrics["broken"] > 0 }

// RawJSON returns the report, or the list.
func (r *RunResult) RawJSON() []byte {
	if r.Report == nil {
		return listJSON(r.Listed)
	}
	return r.ReportResult.RawJSON()
}

func (r *RunResult) write(out io.Writer) error {
	if r.Report == nil {
		_, err := io.WriteString(out, strings.Join(append(r.Listed, ""), "\n"))
		return err
	}
	return workbench.WriteReport(out, &r.ReportResult)
}

func runSuites(ctx context.Context, w *workbench.Workbench, in *RunInput) (*RunResult, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	reporters, err := parseReporters(in.Reporter)
	if err != nil {
		return nil, err
	}
	if in.Watch {
		return watchSuites(ctx, w, in, reporters)
	}
	return runOnce(ctx, w, in, reporters)
}

// check rejects invalid numbers.
func (in *RunInput) check() error {
	if in.Parallel < 0 {
		return &workbench.UsageError{Message: fmt.Sprintf("invalid value %d for --parallel: expected a number from 1",
			in.Parallel)}
	}
	if in.Retries < 0 {
		return &workbench.UsageError{Message: fmt.Sprintf("invalid value %d for --retries: expected a number from 0",
			in.Retries)}
	}
	return nil
}

func runOnce(ctx context.Context, w *workbench.Workbench, in *RunInput, reporters []reporter) (*RunResult, error) {
	plan, whole, err := Plan(w, in)
	if err != nil {
		return nil, err
	}
	if in.List {
		return &RunResult{Listed: ids(plan)}, nil
	}
	options, err := suiteOptions(w, in, plan)
	if err != nil {
		return nil, err
	}
	options.Whole = whole
	limited, cancel := in.Begin(ctx)
	defer cancel()
	if err := fewUnsafeCalls(limited, w, in, plan); err != nil {
		return nil, err
	}
	found, err := suite.Run(limited, plan, options)
	if workbench.TimeOver(limited) {
		w.Event(workbench.Event{Notice: fmt.Sprintf("stopped early: %v before %s were finished", workbench.ErrTimeLimit,
			workbench.Plural(unfinished(found), "test"))})
		err = nil
	}
	stopped := err != nil && ctx.Err() != nil && in.Session() == nil // reports of a partial run are still useful
	if err != nil && !stopped {
		return nil, err
	}
	if in.keepsFailed(w) {
		if err := storeFailed(w, found); err != nil {
			w.Event(workbench.Event{Notice: "the failed tests were not stored for --last-failed: " + err.Error()})
		}
	}
	judged, err := (&workbench.RuleOptions{}).Report(w, found, report.Options{})
	if err != nil {
		return nil, err
	}
	result := &RunResult{ReportResult: *judged, flakyFails: in.FailOnFlaky, stopped: stopped}
	result.Fails = result.Failed()
	return result, result.report(w, reporters)
}

// unfinished counts the tests that did not complete.
func unfinished(r *finding.Report) int {
	n := 0
	for _, one := range r.Results {
		if one.Skipped == suite.Stopped {
			n++
		}
	}
	return n
}

// Plan loads the suites and selects the tests.
func Plan(w *workbench.Workbench, in *RunInput) (*suite.Plan, bool, error) {
	files, paths, lookup := suite.Files{Read: w.ReadFile}, []string{"suite"},
		func(name string) (string, bool) { return lookup(w, name) }
	if in.Suite != "" {
		files, lookup = suite.Files{Read: only("suite", in.Suite), Text: true}, in.environment
		if in.Session() != nil {
			files.Server = "connection"
		}
	} else {
		var err error
		if err := w.MayUseFiles(); err != nil {
			return nil, false, err
		}
		if paths, err = findSuites(w.System.Dir, in.Paths); err != nil {
			return nil, false, err
		}
	}
	plan, problems := suite.Load(files, lookup, paths...)
	if wrong := checkWith(plan); len(wrong) > 0 {
		problems = append(problems, wrong...)
		problems.Sort()
	}
	if len(problems) > 0 {
		return nil, false, &workbench.UsageError{Message: problems.Error(), Hint: hint.Text(in.schemaHint(problems)),
			Corrected: problems.Corrected(in.Suite)}
	}
	if in.Session() != nil {
		if err := onlyCalls(plan); err != nil {
			return nil, false, err
		}
	}
	shard, err := suite.ParseShard(in.Shard)
	if err != nil {
		return nil, false, &workbench.UsageError{Message: err.Error()}
	}
	durations, err := readTimings(w, in.Timings)
	if err != nil {
		return nil, false, err
	}
	if len(plan.Tests()) == 0 {
		return nil, false, &workbench.UsageError{Message: "the suites have no tests",
			Hint: "add tests to the file; to generate a suite, run: {mcptest init TARGET}"}
	}
	whole, err := plan.Choose(suite.Choice{Filter: in.Filter, Tags: in.Tag, SkipTags: in.SkipTag, Shard: shard,
		Durations: durations, Failed: in.failed(w, plan)})
	if err != nil {
		return nil, false, &workbench.UsageError{Message: err.Error()}
	}
	if len(plan.Tests()) == 0 && shard.Of < 2 {
		return nil, false, &workbench.UsageError{Message: "no tests match the selection",
			Hint: "run: {mcptest run --list}"}
	}
	return plan, whole, nil
}

// lookup returns an environment variable. If its name suggests a secret, its value is redacted in reports.
func lookup(w *workbench.Workbench, name string) (string, bool) {
	value, ok := w.Variable(name)
	if ok && w.Secrets != nil && redact.SecretName(name) {
		w.Secrets.Add(value)
	}
	return value, ok
}

// environment returns the variables for a suite that is given as text: none, or its author could have the
// user's secrets sent to a server. A suite that is only validated is assumed to be correct: it may be run where
// the variables are set.
func (in *RunInput) environment(string) (string, bool) { return "", in.Session() == nil }

// schemaHint returns where to read about the suite format. For suites with all tests under one key, as in other
// tools, it explains the sections.
func (in *RunInput) schemaHint(problems document.Problems) string {
	if slices.ContainsFunc(problems, func(p document.Problem) bool { return p.Key == "tests" }) {
		return `put tests in a section named after what they call: "tools:" has tests such as {tool: echo, args: ` +
			`{message: hi}, expect: {equals: hi}}, ` +
			"also resources, prompts, completions, raw and sequences; {mcptest init TARGET} writes a first suite"
	}
	if in.Suite != "" {
		return "see the format of suites: {mcptest schema suite}"
	}
	return "see the JSON Schema for suites: mcptest schema suite"
}

// onlyCalls rejects a suite given as text that would start programs.
func onlyCalls(p *suite.Plan) error {
	for _, s := range p.Suites {
		if len(s.Setup)+len(s.Teardown)+len(s.SetupPerTest) > 0 {
			return &workbench.UsageError{Message: "the suite has hooks, which start programs on the user's machine",
				Hint: "remove setup and teardown; to run it as it is, the user runs: {mcptest run FILE}"}
		}
		if len(s.Fixtures) > 0 {
			return &workbench.UsageError{Message: "the suite has fixtures, which start programs and write files on the " +
				"user's machine", Hint: "remove fixtures; to run it as it is, the user runs: {mcptest run FILE}"}
		}
		if len(s.Imports) > 0 {
			return &workbench.UsageError{Message: "the suite imports files", Hint: "put everything into one text"}
		}
	}
	return nil
}

func ids(p *suite.Plan) []string {
	var all []string
	for _, t := range p.Tests() {
		all = append(all, t.ID)
	}
	return all
}

// Options returns the options of tests that a program makes, with the permissions of a run.
func Options(w *workbench.Workbench, in *RunInput) (suite.Options, error) {
	options, err := suiteOptions(w, in, &suite.Plan{})
	options.Done = nil // the program reports progress
	return options, err
}

// suiteOptions returns the options of the run.
func suiteOptions(w *workbench.Workbench, in *RunInput, plan *suite.Plan) (suite.Options, error) {
	mode, files := match.WriteNew, suite.Files{Read: w.ReadFile, Write: snapshotWriter(w)}
	ci, _ := w.System.Lookup("CI")
	isCI := ci != "" && ci != "false" && ci != "0"
	switch {
	case in.UpdateSnapshots && isCI && !in.AllowCIUpdate:
		return suite.Options{}, &workbench.UsageError{Message: "--update-snapshots is not allowed if CI is set: a CI " +
			"run would " +
			"accept any result", Hint: "update the snapshots locally and commit them, or add {--allow-ci-update}"}
	case in.UpdateSnapshots:
		mode = match.UpdateAll
	case in.Suite != "":
		files = noFiles(w)
	case isCI || in.Session() != nil:
		mode = match.ReadOnly
	}
	total, done, findings := len(plan.Tests()), 0, 0
	return suite.Options{
		Scrub: w.Secrets.Text, Borrowed: in.Session() != nil, Supervisor: w.Supervisor,
		Dial: suiteDial(w, in), Blocks: suiteBlocks(w, in), Files: files, Snapshots: mode, Vary: vary,
		Parallel: in.Parallel, Retries: in.Retries, Bail: in.Bail, Version: w.Version,
		Reproduce: func(t *suite.Test) string {
			return fmt.Sprintf("mcptest run %s --filter %s", workbench.QuoteWord(t.File),
				workbench.QuoteWord(filterFor(t)))
		},
		Done: func(t *suite.Test, r finding.Result) {
			done++
			total = max(total, done) // generated cases are not counted before
			findings += len(r.Findings)
			w.Event(workbench.Event{Step: &workbench.Step{Done: done, Total: total, Findings: findings, Text: t.Name}})
			w.Event(workbench.Event{Line: resultLine(t, r)})
		},
	}, nil
}

// vary makes the cases of tests with generate.
func vary(tool, base json.RawMessage) ([]suite.Variant, error) {
	input, _ := schema.Get(tool, "/inputSchema")
	variants, err := cases.Variants(input, base)
	var all []suite.Variant
	for _, v := range variants {
		kind := suite.Boundary
		switch {
		case !v.Allowed:
			kind = suite.Invalid
		case v.Omits:
			kind = suite.Omitted
		}
		all = append(all, suite.Variant{Name: v.Description, Kind: kind, Arguments: v.Arguments})
	}
	return all, err
}

// snapshotWriter writes snapshots. Images have a directory, which is created.
func snapshotWriter(w *workbench.Workbench) func(string, []byte) error {
	return func(path string, data []byte) error {
		if err := w.MayUseFiles(); err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return w.WriteFile(path, data)
	}
}

// noFiles stores no snapshots, and reports it: all of them are new each time.
func noFiles(w *workbench.Workbench) suite.Files {
	return suite.Files{
		Read: func(string) ([]byte, error) { return nil, fs.ErrNotExist },
		Write: func(string, []byte) error {
			w.Event(workbench.Event{Notice: "snapshots were not compared: they are stored next to a suite file, and " +
				"only " +
				"mcptest run uses them"})
			return nil
		},
	}
}

// filterFor returns a filter that selects only this test of its file.
func filterFor(t *suite.Test) string {
	return strings.TrimPrefix(t.ID, filepath.ToSlash(t.File)+"/")
}

// resultLine formats one test result for a log.
func resultLine(t *suite.Test, r finding.Result) string {
	word := map[finding.Status]string{finding.Passed: "ok", finding.Failed: "FAIL", finding.Skipped: "skip",
		finding.Broken: "BROKEN"}[r.Status()]
	line := fmt.Sprintf("%-6s %s", word, t.ID)
	if r.Elapsed > 0 && r.Skipped == "" {
		line += fmt.Sprintf(" (%v)", r.Elapsed.Round(time.Millisecond))
	}
	if r.Skipped != "" {
		line += ": " + r.Skipped
	}
	if r.Attempts > 1 {
		line += fmt.Sprintf(" after %d attempts", r.Attempts)
	}
	return line
}

func only(path, text string) func(string) ([]byte, error) {
	return func(p string) ([]byte, error) {
		if p == path {
			return []byte(text), nil
		}
		return nil, errNoFile
	}
}

var errNoFile = errors.New("this suite is not allowed to read files")

func listJSON(list []string) []byte {
	text, _ := json.Marshal(struct { // a list of strings always marshals
		Tests []string `json:"tests"`
	}{append([]string{}, list...)})
	return text
}
