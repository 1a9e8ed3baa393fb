// Package check has the operation that runs all engines against a server and grades it.
package check

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/ops/changes"
	"github.com/mcptest-dev/mcptest/internal/ops/engines"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/sdk"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A Input is the input of Check.
type Input struct {
	workbench.Connection
	FailOn           string        `json:"fail_on,omitempty" placeholder:"LIST" jsonschema:"conditions that fail the check: error (default), warning, critical, grade:B (below B), area:robustness (below B or without a grade), sdk (also findings caused by the SDK), or rules such as SEC or TOOL-009"`
	MaxTokens        int           `json:"max_tokens,omitempty" surface:"cli" placeholder:"N" jsonschema:"also fail if the definitions and instructions take more than N tokens of a model's context in a host (estimated)"`
	Budget           time.Duration `json:"budget,omitempty" surface:"cli" placeholder:"D" jsonschema:"time limit for the whole check (default 1m, up to 2m if the server starts slowly)"`
	AllowDisruptive  bool          `json:"allow_disruptive,omitempty" surface:"user" jsonschema:"also send malformed frames and request bursts to remote servers"`
	Tools            []string      `json:"tools,omitempty" surface:"user" placeholder:"LIST" jsonschema:"also call these tools, regardless of their annotations"`
	AllowUnannotated bool          `json:"allow_unannotated,omitempty" surface:"user" jsonschema:"also call tools with neither readOnlyHint nor destructiveHint"`
	Skip             []string      `json:"skip,omitempty" placeholder:"LIST" jsonschema:"skip these rules: ids, families or globs"`
	Baseline         string        `json:"baseline,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"suppress the findings that this file accepts"`
	WriteBaseline    bool          `json:"write_baseline,omitempty" surface:"cli" jsonschema:"accept all current findings in the baseline file"`
	Policy           string        `json:"policy,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"read fail_on, skip, baseline, budget and location from this YAML file; flags override it"`
	Location         string        `json:"location,omitempty" surface:"cli" placeholder:"FILE[:LINE]" jsonschema:"the file that sarif and github reports point at (default: the config file that names the server)"`
	Locked           bool          `json:"locked,omitempty" surface:"cli" jsonschema:"also fail if the server does not offer exactly what the lock file approves"`
	LockFile         string        `json:"lock_file,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"the lock file for --locked (default mcptest.lock)"`
	Format           string        `json:"format,omitempty" surface:"cli" placeholder:"FORMAT" jsonschema:"text, json, junit, sarif, tap, markdown, html, github or gitlab"`
	HTML             string        `json:"html,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"also write an HTML report to FILE"`
	Verbose          bool          `json:"verbose,omitempty" jsonschema:"list every finding, also information and those of the SDK"`
	All              bool          `json:"all,omitempty" surface:"cli" alone:"yes" jsonschema:"check every configured server"`
	IncludeProject   bool          `json:"include_project,omitempty" surface:"cli" jsonschema:"with --all, also start servers from project files (runs commands chosen by the authors of those files)"`

	bounded bool // the time limit is that of an assistant's tool

	entry *config.Entry  // with --all: the entry in its config file
	known *fleetBaseline // with --all and --baseline
}

// Bound sets the time limit for the whole check.
func (in *Input) Bound(within time.Duration) { in.Budget, in.bounded = within, true }

// moreTimeHint returns how to allow more time: by the flag, or by the argument of an assistant's tool.
func (in *Input) moreTimeHint() string {
	if in.bounded {
		return "use a larger within_ms"
	}
	return "use a longer --budget"
}

// Run runs all checks and grades a server.
var Run = workbench.Op[Input, *Result]{
	Uses: workbench.Frames,
	Omit: []string{"log_level"},
	Name: "check", Section: workbench.Test, Order: 10, Tool: "check_server", Page: true, Calls: true,
	Doc: "Run all checks and grade a server\n\n" +
		"Runs conform, schema-lint and a short fuzz of the safe tools (readOnlyHint), and shows the most important " +
		"findings\n" +
		"first. Each area states how much was tested; below a minimum it has no grade.",
	Help: "With --locked, it also fails if the server differs from mcptest.lock.\n\n" +
		"Exits with 1 on any error (change it with --fail-on), with 4 if nothing failed but an area is incomplete, " +
		"and with 3\n" +
		"if the server cannot be reached.",
	Example: "mcptest check demo" + "\n" +
		"mcptest check demo-flawed --fail-on grade:B --html report.html" + "\n" +
		"mcptest check -- mcptest demo",
	Run:  runCheck,
	Text: writeCheck,
}

// A Word is the verdict in one word.
type Word string

// The verdicts.
const (
	CheckPassed      Word = "passed"
	CheckFailed      Word = "failed"
	CheckIncomplete  Word = "incomplete"  // nothing failed, but not everything could be tested
	CheckUnreachable Word = "unreachable" // no connection to test
)

// A Result is the verdict.
type Result struct {
	workbench.ReportResult
	Server    string // its name and revision
	Offers    string // number of tools and other features
	Areas     []Area
	Word      Word
	Grade     string          // empty if too little was tested
	Reason    string          // the findings that limit the grade, as a sentence
	Why       string          // the reason for the word
	SDK       *sdk.SDK        // nil if it was not recognized
	Hosts     []hosts.Arrival // the tools that reach the model of each host
	Context   *Context        // of the model that the server takes; nil without tools
	Groups    []Group
	NotTested []string
	Skipped   int // checks of the protocol that do not apply
	Next      []string
	Table     *Table // with --all

	overBudget string // why it takes too much context; empty if it does not

	area    map[string]string // by rule
	tools   *lint.Catalog     // as listed; nil if they could not be read
	lost    error             // why it could not be connected to
	verbose bool
}

// A checkVerdict is the machine-readable verdict.
type checkVerdict struct {
	Server    string          `json:"server"`
	Offers    string          `json:"offers"`
	Verdict   Word            `json:"verdict"`
	Why       string          `json:"why,omitempty"`
	Grade     string          `json:"grade"`
	Reason    string          `json:"reason,omitempty"`
	Areas     []Area          `json:"areas"`
	SDK       *sdk.SDK        `json:"sdk,omitempty"`
	Hosts     []hosts.Arrival `json:"hosts,omitempty"`
	Context   *Context        `json:"context,omitempty"`
	Groups    []Group         `json:"groups"`
	NotTested []string        `json:"not_tested"`
	Skipped   int             `json:"skipped,omitempty"`
	Next      []string        `json:"next,omitempty"`
}

// Failed reports whether the server failed, or any of several.
func (r *Result) Failed() bool {
	if r.Table != nil {
		return r.Table.failed()
	}
	return r.Word == CheckFailed
}

// Incomplete reports whether nothing failed but not everything could be tested.
func (r *Result) Incomplete() bool {
	if r.Table != nil {
		return r.Table.has(CheckIncomplete)
	}
	return r.Word == CheckIncomplete
}

// Unreached reports whether a server could not be reached.
func (r *Result) Unreached() bool {
	if r.Table != nil {
		return r.Table.has(CheckUnreachable)
	}
	return r.Word == CheckUnreachable
}

// Failure returns the error because of which the server could not be tested.
func (r *Result) Failure() error { return r.lost }

// RawJSON returns the report with the verdict in its field check, or the table.
func (r *Result) RawJSON() []byte {
	if r.Table != nil && r.Format == "" {
		raw, _ := json.Marshal(r.Table) // plain data always marshals
		if r.Opts.Scrub != nil {
			raw = []byte(r.Opts.Scrub(string(raw)))
		}
		return raw
	}
	raw := r.ReportResult.RawJSON()
	if r.Format != "" {
		return raw
	}
	verdict, err := json.MarshalIndent(checkVerdict{r.Server, r.Offers, r.Word, r.Why, r.Grade, r.Reason, r.Areas, r.SDK,
		r.Hosts, r.Context,
		append([]Group{}, r.Groups...), append([]string{}, r.NotTested...), r.Skipped, r.Next}, "  ", "  ")
	if err != nil {
		return raw
	}
	if r.Opts.Scrub != nil {
		verdict = []byte(r.Opts.Scrub(string(verdict)))
	}
	return workbench.WithMember(raw, "check", verdict)
}

// How the time limit of a check is divided.
const (
	checkBudget = time.Minute
	checkStarts = 20 // about how many processes are started one after the other
	listShare   = 3  // of the time to connect, for reading the lists
	fuzzShare   = 5  // a fifth of what is left, if fuzzing has to wait for conform
	checkCases  = 300
	checkFuzz   = 15 * time.Second // at most, unless conform takes longer: the user waits for the verdict
	lastCalls   = 10 * time.Second // before the end of the time limit: for calls that are repeated and findings
	hangShare   = 3                // of the remaining time: a call without a response is repeated once
	sureHang    = 10 * time.Second // time without a response that is a hang and not just slow
)

func runCheck(ctx context.Context, w *workbench.Workbench, in *Input) (*Result, error) {
	if err := in.applyPolicy(w); err != nil {
		return nil, err
	}
	shown := &workbench.RuleOptions{Format: in.Format, Skip: in.Skip, Baseline: in.Baseline,
		WriteBaseline: in.WriteBaseline}
	if err := shown.Check(); err != nil {
		return nil, err
	}
	for _, pattern := range workbench.Commas(in.Skip) {
		if !engines.IsRulePattern(pattern) {
			return nil, &workbench.UsageError{Message: fmt.Sprintf("invalid value %q for --skip: unknown rule",
				pattern),
				Hint: "run: {mcptest rules}"}
		}
	}
	gate, err := parseGate([]string{in.FailOn}, engines.IsRulePattern)
	if err != nil {
		return nil, err
	}
	gate.maxTokens = in.MaxTokens
	place, err := in.location(w)
	if err != nil {
		return nil, err
	}
	locked, err := in.readLock(w)
	if err != nil {
		return nil, err
	}
	if in.All {
		return checkAll(ctx, w, in)
	}
	if in.MaxTokens < 0 {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("invalid value %d for --max-tokens", in.MaxTokens),
			Hint: "use a number of tokens such as 20000"}
	}
	if in.Budget < 0 {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("invalid value %v for --budget", in.Budget),
			Hint: "use a duration such as 30s or 2m"}
	}
	c := &checkRun{w: w, in: in, locked: locked, result: &Result{verbose: in.Verbose, area: map[string]string{}},
		report: &finding.Report{Engine: "check", Target: engines.Shown(&in.Connection), Version: w.Version,
			Started: time.Now(),
			Metrics: map[string]float64{}}}
	if err := c.test(ctx, cmp.Or(in.Budget, checkBudget)); err != nil {
		return nil, err
	}
	c.ofServer(place)
	judged, err := shown.Report(w, c.report, place)
	if err != nil {
		return nil, err
	}
	c.result.ReportResult = *judged
	if in.known != nil {
		in.known.filter(c.report)
	}
	c.conclude(gate)
	if in.HTML != "" {
		if err := writeHTML(&c.result.ReportResult, w, in.HTML); err != nil {
			return nil, err
		}
	}
	return c.result, nil
}

// A checkRun is a check in progress.
type checkRun struct {
	w        *workbench.Workbench
	in       *Input
	session  *mcp.Session      // of the first connection
	surface  *mcp.Surface      // what the server listed there
	unlisted error             // why a list could not be read
	second   *mcp.Session      // beside it, for fuzz; nil once fuzz has it
	locked   *changes.LockFile // nil without --locked
	lockedAs string            // the server in it
	one      bool              // the server allows one process or session at a time
	refused  bool              // it accepts the first client only
	// the server wrote something that is not a message to stdout while a call was in progress
	printsInCalls bool
	result        *Result
	report        *finding.Report
}

// test runs the engines. An error means that there is no report: the request is invalid, or was stopped.
func (c *checkRun) test(ctx context.Context, budget time.Duration) error {
	start := time.Now()
	ends := start.Add(budget)
	if err := c.look(ctx, budget/2); err != nil {
		var usage *workbench.UsageError
		var unknown *target.Error
		if ctx.Err() != nil || errors.As(err, &usage) || errors.As(err, &unknown) {
			return err
		}
		c.unreachable(err)
		return nil
	}
	if c.in.Budget == 0 && c.session.Target().Transport() == wire.Stdio {
		ends = ends.Add(startAllowance(time.Since(start)))
	}
	c.recognize(ctx)
	c.compareLock(ctx)
	schemas, protocol := c.lint(ctx), (*areaOutcome)(nil)
	if err := c.hasNamedTools(); err != nil {
		return err
	}
	defer c.closeSecond()
	robustness := make(chan *areaOutcome, 1)
	if c.session.Target().URL == "" && !c.allowsOne(ctx, ends) { // each engine has its own processes
		beside, finished := context.WithDeadline(ctx, ends.Add(-lastCalls))
		go func() { robustness <- c.fuzz(ctx, ends, beside.Done()) }()
		protocol = c.conform(ctx, time.Until(ends))
		finished()
	} else {
		c.allowsOneSession(ctx, ends)
		protocol = c.conform(ctx, time.Until(ends)*(fuzzShare-1)/fuzzShare)
		robustness <- c.fuzz(ctx, ends, nil)
	}
	for _, outcome := range []*areaOutcome{protocol, schemas, <-robustness} {
		c.add(outcome)
	}
	c.result.Context.addResults(c.report.Metrics)
	if slices.ContainsFunc(c.report.Findings(), func(f finding.Finding) bool { return f.Rule == "STDIO-001" }) {
		c.result.Hosts = hosts.WithOutput(c.result.Hosts, !c.writesLate())
	}
	if len(c.result.Hosts) > 0 && c.rejectsHandshake(ctx, ends) {
		c.result.Hosts = hosts.WithRevision(c.result.Hosts, spec.NewestModern)
	}
	if c.one && c.session.Target().URL == "" {
		c.result.NotTested = append(c.result.NotTested, "several processes at the same time: "+workbench.OneProcess)
	}
	c.attribute()
	return ctx.Err()
}

// startAllowance is how much longer a check may take if a server needs some time to start, such as on a busy machine: most
// of the time is then spent on starts, and checks would not be reached.
func startAllowance(first time.Duration) time.Duration {
	return min(checkStarts*max(first-time.Second, 0), checkBudget)
}

// unreachable reports a server that could not be reached: no area was tested.
func (c *checkRun) unreachable(err error) {
	c.result.lost = err
	c.result.Server = "no connection to " + engines.Shown(&c.in.Connection)
	for _, name := range areaNames {
		c.result.Areas = append(c.result.Areas, Area{Name: name, State: NotTested, Evidence: "nothing",
			About: "no connection"})
	}
	c.report.Results = append(c.report.Results, finding.Result{Name: "connect", Broken: err.Error()})
}

// An areaOutcome is the result of an engine.
type areaOutcome struct {
	Area
	engine string
	report *finding.Report // nil if the engine could not run
	notes  []string        // what was not tested
}

// add merges the results of an engine.
func (c *checkRun) add(o *areaOutcome) {
	c.result.Areas = append(c.result.Areas, o.Area)
	c.result.NotTested = append(c.result.NotTested, o.notes...)
	if o.report == nil {
		return
	}
	for _, rule := range o.report.Rules {
		c.result.area[rule.ID] = o.Name
	}
	c.merge(o.report)
	for name, value := range o.report.Metrics {
		c.report.Metrics[o.engine+"."+name] = value
	}
}

// merge adds the rules and results of a report, without those to skip.
func (c *checkRun) merge(report *finding.Report) {
	skip := workbench.Commas(c.in.Skip)
	c.report.Rules = append(c.report.Rules, slices.DeleteFunc(slices.Clone(report.Rules), func(r finding.Rule) bool {
		return finding.MatchesAny(r.ID, skip)
	})...)
	for _, result := range report.Results {
		if result.Rule != "" && finding.MatchesAny(result.Rule, skip) {
			continue
		}
		result.Findings = slices.DeleteFunc(slices.Clone(result.Findings),
			func(f finding.Finding) bool { return finding.MatchesAny(f.Rule, skip) })
		c.report.Results = append(c.report.Results, result)
	}
}

// findings returns the findings of an area.
func (r *Result) findings(area string) []finding.Finding {
	return slices.DeleteFunc(r.Report.Findings(), func(f finding.Finding) bool { return r.area[f.Rule] != area })
}

// writeHTML writes the HTML report.
func writeHTML(r *workbench.ReportResult, w *workbench.Workbench, file string) error {
	html := *r
	html.Format = "html"
	if err := w.WriteFile(file, html.RawJSON()); err != nil {
		return &workbench.UsageError{Message: "--html: " + err.Error()}
	}
	return nil
}
