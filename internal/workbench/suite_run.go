package workbench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/report"
)

// A RunInput asks for suites to be run.
type RunInput struct {
	Connection      `cli:"-"`
	limit           `cli:"-"`
	Suite           string   `json:"suite,omitempty" cli:"-" max:"262144" jsonschema:"the suite as YAML; its tests run on the open connection, whatever its servers are, and see no variables of the environment"`
	Paths           []string `json:"paths,omitempty" surface:"cli" cli:"rest" placeholder:"FILE|DIR|GLOB" jsonschema:"suite files, directories or globs (default: mcptest.yaml and tests/**/*.mcptest.yaml)"`
	Config          string   `json:"config,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"the config file that names servers, instead of those of the hosts on this machine"`
	Filter          string   `json:"filter,omitempty" placeholder:"TEXT" jsonschema:"run only tests whose id holds this text or matches this regular expression"`
	Tag             []string `json:"tag,omitempty" placeholder:"TAG" jsonschema:"run only tests with this tag"`
	SkipTag         []string `json:"skip_tag,omitempty" placeholder:"TAG" jsonschema:"leave out tests with this tag"`
	Shard           string   `json:"shard,omitempty" surface:"cli" placeholder:"N/M" jsonschema:"run only this part of the tests"`
	Timings         string   `json:"timings,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"a JSON report of an earlier run, to make shards of the same length"`
	Parallel        int      `json:"parallel,omitempty" placeholder:"N" jsonschema:"how many tests may run at once (default: the number of processors)"`
	Retries         int      `json:"retries,omitempty" placeholder:"N" jsonschema:"try a failed test again so many times"`
	FailOnFlaky     bool     `json:"fail_on_flaky,omitempty" jsonschema:"a test that passed only after a retry is a failure"`
	Bail            bool     `json:"bail,omitempty" jsonschema:"stop at the first failure"`
	List            bool     `json:"list,omitempty" surface:"cli" jsonschema:"show the tests and run none"`
	Watch           bool     `json:"watch,omitempty" surface:"cli" jsonschema:"run again when a file changes"`
	UpdateSnapshots bool     `json:"update_snapshots,omitempty" surface:"cli" jsonschema:"keep the snapshots of this run"`
	AllowCIUpdate   bool     `json:"allow_ci_update,omitempty" surface:"cli" jsonschema:"let --update-snapshots write where CI=true"`
	AllowCalls      bool     `json:"allow_calls,omitempty" surface:"user" jsonschema:"let conform and fuzz blocks call tools that are not safe"`
	AllowDisruptive bool     `json:"allow_disruptive,omitempty" surface:"user" jsonschema:"let conform, fuzz and performance blocks disturb a server that is not on this machine"`
	Reporter        []string `json:"reporter,omitempty" surface:"cli" placeholder:"NAME[=FILE]" jsonschema:"text, json, junit, sarif, tap, markdown, html, github or gitlab; several are possible, with files to write to"`
}

// RunSuites runs suites.
var RunSuites = Op[RunInput, *RunResult]{
	Name: "run", Tool: "run_suite", Surfaces: Page | Assistant, Calls: true,
	Doc: "Run suites of tests\n\n" +
		"A test makes a call and says what must hold of its answer.\n\n" +
		"Without FILE it runs mcptest.yaml and tests/**/*.mcptest.yaml. Exits with 1 if a test failed, with 2 if a file is\n" +
		"wrong or no test is selected, with 3 if a server could not be reached or died.",
	Example: "mcptest run" + "\n" +
		"mcptest run mcptest.yaml --tag smoke --reporter junit=junit.xml",
	Run:  runSuites,
	Text: func(out io.Writer, r *RunResult) error { return r.write(out) },
}

// A RunResult is the report of a run, or the list of its tests.
type RunResult struct {
	Judged
	Listed []string // with --list

	flakyFails bool
	stopped    bool
}

// Interrupted reports whether the run was stopped before its end.
func (r *RunResult) Interrupted() bool { return r.stopped }

// Failed reports whether a test failed.
func (r *RunResult) Failed() bool {
	if r.Report == nil {
		return false
	}
	m := r.Report.Metrics
	return m["failed"] > 0 || m["broken"] > 0 || r.flakyFails && m["flaky"] > 0
}

// Unreached reports whether a server could not be reached or died.
func (r *RunResult) Unreached() bool { return r.Report != nil && r.Report.Metrics["broken"] > 0 }

// RawJSON is the report, or the list.
func (r *RunResult) RawJSON() []byte {
	if r.Report == nil {
		return listJSON(r.Listed)
	}
	return r.Judged.RawJSON()
}

func (r *RunResult) write(out io.Writer) error {
	if r.Report == nil {
		_, err := io.WriteString(out, strings.Join(append(r.Listed, ""), "\n"))
		return err
	}
	return writeJudged(out, &r.Judged)
}

func runSuites(ctx context.Context, w *Workbench, in *RunInput) (*RunResult, error) {
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

// check refuses numbers that mean nothing.
func (in *RunInput) check() error {
	if in.Parallel < 0 {
		return &UsageError{Message: fmt.Sprintf("--parallel %d; want a number from 1", in.Parallel)}
	}
	if in.Retries < 0 {
		return &UsageError{Message: fmt.Sprintf("--retries %d; want a number from 0", in.Retries)}
	}
	return nil
}

func runOnce(ctx context.Context, w *Workbench, in *RunInput, reporters []reporter) (*RunResult, error) {
	plan, whole, err := w.plan(in)
	if err != nil {
		return nil, err
	}
	if in.List {
		return &RunResult{Listed: ids(plan)}, nil
	}
	options, err := w.suiteOptions(in, plan)
	if err != nil {
		return nil, err
	}
	options.Whole = whole
	limited, cancel := in.begin(ctx)
	defer cancel()
	if err := w.fewUnsafeCalls(limited, in, plan); err != nil {
		return nil, err
	}
	found, err := suite.Run(limited, plan, options)
	if timeOver(limited) {
		w.event(Event{Notice: fmt.Sprintf("ended early: %v before %s were finished", ErrTimeOver, plural(unfinished(found), "test"))})
		err = nil
	}
	stopped := err != nil && ctx.Err() != nil && in.open == nil // who runs files wants the reports of what was run
	if err != nil && !stopped {
		return nil, err
	}
	judged, err := (&Judging{}).judged(w, found, report.Options{})
	if err != nil {
		return nil, err
	}
	result := &RunResult{Judged: *judged, flakyFails: in.FailOnFlaky, stopped: stopped}
	result.fails = result.Failed()
	return result, result.report(w, reporters)
}

// unfinished counts the tests that were not run to their end.
func unfinished(r *finding.Report) int {
	n := 0
	for _, one := range r.Results {
		if one.Skipped == suite.Stopped {
			n++
		}
	}
	return n
}

// plan loads the suites and chooses the tests.
func (w *Workbench) plan(in *RunInput) (*suite.Plan, bool, error) {
	files, paths, lookup := suite.Files{Read: w.readFile}, []string{"suite"}, w.lookup
	if in.Suite != "" {
		files, lookup = suite.Files{Read: only("suite", in.Suite), Text: true}, in.environment
		if in.open != nil {
			files.Server = "connection"
		}
	} else {
		var err error
		if err := w.mayUseFiles(); err != nil {
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
		return nil, false, &UsageError{Message: problems.Error(), Hint: in.schemaHint(problems)}
	}
	if in.open != nil {
		if err := onlyCalls(plan); err != nil {
			return nil, false, err
		}
	}
	shard, err := suite.ParseShard(in.Shard)
	if err != nil {
		return nil, false, &UsageError{Message: err.Error()}
	}
	durations, err := w.readTimings(in.Timings)
	if err != nil {
		return nil, false, err
	}
	whole, err := plan.Choose(suite.Choice{Filter: in.Filter, Tags: in.Tag, SkipTags: in.SkipTag, Shard: shard, Durations: durations})
	if err != nil {
		return nil, false, &UsageError{Message: err.Error()}
	}
	if len(plan.Tests()) == 0 && shard.Of < 2 {
		return nil, false, &UsageError{Message: "no test is selected", Hint: "mcptest run --list shows the tests that there are"}
	}
	return plan, whole, nil
}

// lookup is a variable of the environment. One that is a secret by its name is kept out of reports.
func (w *Workbench) lookup(name string) (string, bool) {
	value, ok := w.variable(name)
	if ok && w.Secrets != nil && redact.SecretName(name) {
		w.Secrets.Add(value)
	}
	return value, ok
}

// environment is what a suite sees that is a text from elsewhere: nothing, or whoever wrote it could have the user's secrets
// sent to a server. One that is only looked at is taken to be right: it may be run where the variables are set.
func (in *RunInput) environment(string) (string, bool) { return "", in.open == nil }

// schemaHint says where to read what a suite can hold. Whoever puts all tests below one key, as others do, is told how it
// goes here.
func (in *RunInput) schemaHint(problems document.Problems) string {
	if slices.ContainsFunc(problems, func(p document.Problem) bool { return strings.HasPrefix(p.Message, `unknown key "tests"`) }) {
		return `tests stand below what they ask for: "tools:" has tests such as {tool: echo, args: {message: hi}, expect: {equals: hi}}, ` +
			"and so have resources, prompts, completions, raw and sequences; mcptest init TARGET writes a first suite"
	}
	if in.Suite != "" {
		return "the JSON Schema of suites says what one can hold: the resource mcptest://schema/suite, or mcptest schema suite"
	}
	return "mcptest schema suite prints what a suite can hold"
}

// onlyCalls refuses a suite from elsewhere that would start programs of its own.
func onlyCalls(p *suite.Plan) error {
	for _, s := range p.Suites {
		if len(s.Setup)+len(s.Teardown)+len(s.SetupPerTest) > 0 {
			return &UsageError{Message: "the suite has hooks, which start programs on the user's machine", Hint: "leave setup and teardown out, or let the user run it: mcptest run FILE"}
		}
		if len(s.Imports) > 0 {
			return &UsageError{Message: "the suite imports files", Hint: "put everything into the one text"}
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

// suiteOptions is how the run is done.
func (w *Workbench) suiteOptions(in *RunInput, plan *suite.Plan) (suite.Options, error) {
	mode, files := suite.WriteNew, suite.Files{Read: w.readFile, Write: w.writeFile}
	ci, _ := w.System.Lookup("CI")
	isCI := ci != "" && ci != "false" && ci != "0"
	switch {
	case in.UpdateSnapshots && isCI && !in.AllowCIUpdate:
		return suite.Options{}, &UsageError{Message: "--update-snapshots where CI is set: a CI run would accept whatever it sees", Hint: "update them at your desk and commit them, or add --allow-ci-update"}
	case in.UpdateSnapshots:
		mode = suite.UpdateAll
	case in.Suite != "":
		files = w.noFiles()
	case isCI || in.open != nil:
		mode = suite.ReadOnly
	}
	total, done, findings := len(plan.Tests()), 0, 0
	return suite.Options{
		Scrub: w.Secrets.Text, Borrowed: in.open != nil, Supervisor: w.Supervisor,
		Dial: w.suiteDial(in), Blocks: w.suiteBlocks(in), Files: files, Snapshots: mode,
		Parallel: in.Parallel, Retries: in.Retries, Bail: in.Bail, Version: w.Version,
		Reproduce: func(t *suite.Test) string {
			return fmt.Sprintf("mcptest run %s --filter %s", quoteWord(t.File), quoteWord(filterFor(t)))
		},
		Done: func(t *suite.Test, r finding.Result) {
			done++
			findings += len(r.Findings)
			w.event(Event{Step: &Step{Done: done, Total: total, Findings: findings, Text: t.Name}})
			w.event(Event{Line: resultLine(t, r)})
		},
	}, nil
}

// noFiles keeps no snapshot, and says so: all of them are new each time.
func (w *Workbench) noFiles() suite.Files {
	return suite.Files{
		Read: func(string) ([]byte, error) { return nil, fs.ErrNotExist },
		Write: func(string, []byte) error {
			w.event(Event{Notice: "snapshots were taken and compared with nothing: they are kept beside a file, when mcptest run runs it"})
			return nil
		},
	}
}

// filterFor is a filter that selects just this test of its file.
func filterFor(t *suite.Test) string {
	return strings.TrimPrefix(t.ID, filepath.ToSlash(t.File)+"/")
}

// resultLine tells of one test, for people who read a log.
func resultLine(t *suite.Test, r finding.Result) string {
	word := map[finding.Status]string{finding.Passed: "ok", finding.Failed: "FAIL", finding.Skipped: "skip", finding.Broken: "BROKEN"}[r.Status()]
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

// quoteWord makes one word of a text for a shell.
func quoteWord(text string) string {
	if text != "" && strings.IndexFunc(text, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:", r)
	}) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

func only(path, text string) func(string) ([]byte, error) {
	return func(p string) ([]byte, error) {
		if p == path {
			return []byte(text), nil
		}
		return nil, errNoFile
	}
}

var errNoFile = errors.New("this suite may not read files")

func listJSON(list []string) []byte {
	text, _ := json.Marshal(struct { // a list of texts always has a JSON
		Tests []string `json:"tests"`
	}{append([]string{}, list...)})
	return text
}
