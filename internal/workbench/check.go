package workbench

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz"
	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/report"
)

// A CheckInput asks for one verdict on a server.
type CheckInput struct {
	Connection
	FailOn          string        `json:"fail_on,omitempty" placeholder:"LEVEL" jsonschema:"what makes it fail: error (default), warning, or a grade such as grade:B, which fails below it"`
	Budget          time.Duration `json:"budget,omitempty" surface:"cli" placeholder:"D" jsonschema:"the time for everything (default 1m)"`
	AllowDisruptive bool          `json:"allow_disruptive,omitempty" jsonschema:"send malformed frames and many requests at once to a server that is not on this machine, too"`
	Format          string        `json:"format,omitempty" surface:"cli" placeholder:"FORMAT" jsonschema:"text, json, junit, sarif, tap, markdown, html, github or gitlab"`
	HTML            string        `json:"html,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"write a report to read in a browser here, too"`
	Verbose         bool          `json:"verbose,omitempty" jsonschema:"show every finding"`
	All             bool          `json:"all,omitempty" surface:"cli" alone:"yes" jsonschema:"check every server that config files on this machine name"`
	IncludeProject  bool          `json:"include_project,omitempty" surface:"cli" jsonschema:"with --all: start the servers of project files, too; whoever wrote these files decides what runs"`
}

// Check judges a server as a whole.
var Check = Op[CheckInput, *CheckResult]{
	Name: "check", Tool: "check_server", Surfaces: Page | Assistant,
	Doc: "Check a server: one command, one verdict\n\n" +
		"Runs conform, schema-lint and a short fuzz of the tools that say that they are read-only, and tells what matters first.\n\n" +
		"Exits with 1 on any error (--fail-on warning or --fail-on grade:B ask for more).",
	Example: "mcptest check demo" + "\n" +
		"mcptest check demo-flawed --fail-on grade:B --html report.html" + "\n" +
		"mcptest check -- mcptest demo",
	Run:  runCheck,
	Text: writeCheck,
}

// A CheckResult is the verdict.
type CheckResult struct {
	Judged
	Server    string // what it calls itself, and what it speaks
	Offers    string // what it has
	Areas     []CheckArea
	Grade     string
	NotTested []string
	Next      []string
	Table     *CheckTable // with --all

	verbose bool
}

// A CheckArea is the verdict of one engine.
type CheckArea struct {
	Name, Grade, About string
}

// Failed reports whether the server failed, or any of several.
func (r *CheckResult) Failed() bool {
	if r.Table != nil {
		return r.Table.failed()
	}
	return r.fails
}

// RawJSON is the report, or the table.
func (r *CheckResult) RawJSON() []byte {
	if r.Table != nil {
		raw, _ := json.Marshal(r.Table) // plain data always marshals
		return raw
	}
	return r.Judged.RawJSON()
}

// Shares of the time that a check has.
const (
	checkBudget = time.Minute
	fuzzShare   = 5 // a fifth of what is left
	checkCases  = 300
	checkFuzz   = 10 * time.Second // at most: a person waits for the verdict
)

func runCheck(ctx context.Context, w *Workbench, in *CheckInput) (*CheckResult, error) {
	shown := &Judging{Format: in.Format}
	if err := shown.check(); err != nil {
		return nil, err
	}
	fails, err := failing(in.FailOn)
	if err != nil {
		return nil, err
	}
	if in.All {
		return checkAll(ctx, w, in)
	}
	ends := time.Now().Add(cmp.Or(in.Budget, checkBudget))
	c := &checking{w: w, in: in, result: &CheckResult{verbose: in.Verbose}, report: &finding.Report{Engine: "check", Target: in.Connection.shown(), Version: w.Version, Started: time.Now(), Metrics: map[string]float64{}}}
	if err := c.look(ctx); err != nil {
		return nil, err
	}
	if err := c.conform(ctx, time.Until(ends)*(fuzzShare-1)/fuzzShare); err != nil {
		return nil, err
	}
	if err := c.lint(ctx); err != nil {
		return nil, err
	}
	if err := c.fuzz(ctx, time.Until(ends)); err != nil {
		return nil, err
	}
	c.conclude()
	judged, err := shown.judged(w, c.report, report.Options{})
	if err != nil {
		return nil, err
	}
	c.result.Judged = *judged
	c.result.fails = fails(c.result)
	if in.HTML != "" {
		if err := c.writeHTML(in.HTML); err != nil {
			return nil, err
		}
	}
	return c.result, nil
}

// failing reads what makes a check fail.
func failing(level string) (func(*CheckResult) bool, error) {
	grade, isGrade := strings.CutPrefix(level, "grade:")
	switch {
	case isGrade && len(grade) == 1 && strings.Contains("ABCDF", strings.ToUpper(grade)):
		return func(r *CheckResult) bool { return r.Grade > strings.ToUpper(grade) }, nil
	case level == "" || level == "error" || level == "warning":
		floor := finding.Severity(cmp.Or(level, "error"))
		return func(r *CheckResult) bool {
			return slices.ContainsFunc(r.Report.Findings(), func(f finding.Finding) bool { return f.Severity.AtLeast(floor) }) ||
				slices.ContainsFunc(r.Report.Results, func(one finding.Result) bool { return one.Broken != "" })
		}, nil
	}
	return nil, &UsageError{Message: fmt.Sprintf("--fail-on is %q", level), Hint: "error, warning, or grade:A to grade:F"}
}

// A checking is a check under way.
type checking struct {
	w      *Workbench
	in     *CheckInput
	result *CheckResult
	report *finding.Report
}

// look sees what the server is and has.
func (c *checking) look(ctx context.Context) error {
	s, err := c.w.Open(ctx, &c.in.Connection)
	if err != nil {
		return err
	}
	name, _ := schema.Get(s.Server, "/name")
	version, _ := schema.Get(s.Server, "/version")
	text, _ := schema.Text(name)
	number, _ := schema.Text(version)
	c.result.Server = strings.TrimSpace(fmt.Sprintf("%s %s", cmp.Or(text, "a server without a name"), number)) + fmt.Sprintf(", speaks %s over %s", s.Version, s.Target().Transport())
	surface, err := s.Surface(ctx)
	if err != nil {
		return err
	}
	count := func(l *mcp.List, one string) string {
		if l == nil {
			return ""
		}
		return plural(len(l.Items), one)
	}
	var has []string
	for _, text := range []string{count(surface.Tools, "tool"), count(surface.Resources, "resource"), count(surface.Templates, "template"), count(surface.Prompts, "prompt")} {
		if text != "" {
			has = append(has, text)
		}
	}
	c.result.Offers = cmp.Or(strings.Join(has, ", "), "nothing")
	return nil
}

// add takes over the results of an engine.
func (c *checking) add(engine string, r *finding.Report) {
	c.report.Rules = append(c.report.Rules, r.Rules...)
	c.report.Results = append(c.report.Results, r.Results...)
	for name, value := range r.Metrics {
		c.report.Metrics[engine+"."+name] = value
	}
}

func (c *checking) conform(ctx context.Context, within time.Duration) error {
	in := &ConformInput{Connection: c.in.Connection, AllowDisruptive: c.in.AllowDisruptive, Within: max(within, time.Second)}
	r, err := runConform(ctx, c.w, in)
	if err != nil {
		return err
	}
	c.add("conform", r.Report)
	about := fmt.Sprintf("%d of 100 by %s", r.Outcome.Score, strings.Join(r.Outcome.Revisions, ", "))
	c.result.Areas = append(c.result.Areas, CheckArea{"protocol", r.Outcome.Grade, about})
	if len(r.Outcome.NotCalled) > 0 {
		c.result.NotTested = append(c.result.NotTested, "tools that do not say that they are read-only: "+strings.Join(r.Outcome.NotCalled, ", "))
	}
	skipped := 0
	for _, one := range r.Report.Results {
		if one.Status() == finding.Skipped {
			skipped++
		}
	}
	c.result.NotTested = append(c.result.NotTested, plural(skipped, "check")+" of the protocol that the server has no use for (mcptest conform --verbose lists them)")
	return nil
}

func (c *checking) lint(ctx context.Context) error {
	in := &LintInput{Connection: c.in.Connection}
	opts, err := in.options(c.w.Version)
	if err != nil {
		return err
	}
	source, err := c.w.tools(ctx, in)
	if err != nil {
		c.result.NotTested = append(c.result.NotTested, "schemas: "+err.Error())
		return nil
	}
	opts.Protocol = source.protocol
	r := lint.Run(ctx, source.catalog, opts)
	c.add("lint", r)
	score := lintScore(r)
	about := fmt.Sprintf("%d of 100; %s", score, report.Summarize(r, nil))
	c.result.Areas = append(c.result.Areas, CheckArea{"schemas", gradeOf(score, hasError(r)), about})
	return nil
}

// lintScore is how many of the tools are without a fault: one with a warning counts half, one with an error or a critical
// one nothing.
func lintScore(r *finding.Report) int {
	tools := int(r.Metrics["tools"])
	if tools == 0 {
		return 100
	}
	worst := map[string]finding.Severity{}
	for _, f := range r.Findings() {
		if f.Severity.Rank() > worst[f.Where.Subject].Rank() {
			worst[f.Where.Subject] = f.Severity
		}
	}
	lost := 0.0
	for subject, severity := range worst {
		switch {
		case subject == "":
		case severity.AtLeast(finding.Error):
			lost++
		case severity == finding.Warning:
			lost += 0.5
		}
	}
	return max(0, int(100*(float64(tools)-lost)/float64(tools)))
}

// gradeOf is the grade of a score, as conform has it: an A is for those without an error.
func gradeOf(score int, errors bool) string {
	switch {
	case score >= 90 && !errors:
		return "A"
	case score >= 90:
		return "B"
	case score >= 75:
		return "C"
	case score >= 50:
		return "D"
	}
	return "F"
}

func hasError(r *finding.Report) bool {
	return slices.ContainsFunc(r.Findings(), func(f finding.Finding) bool { return f.Severity.AtLeast(finding.Error) })
}

func (c *checking) fuzz(ctx context.Context, within time.Duration) error {
	if within < time.Second {
		c.result.NotTested = append(c.result.NotTested, "fuzzing: the time was over (--budget gives more)")
		return nil
	}
	in := &FuzzInput{Connection: c.in.Connection, Seed: 1, Cases: checkCases, AllowDisruptive: c.in.AllowDisruptive}
	opts, err := c.w.fuzzOptions(in)
	if err != nil {
		return err
	}
	within = min(within, checkFuzz)
	opts.Duration, opts.Hang, opts.Shrink = within, min(within/2, 10*time.Second), 2*time.Second
	r, err := fuzz.Run(ctx, opts)
	if err != nil {
		c.result.NotTested = append(c.result.NotTested, "fuzzing: "+err.Error())
		return ctx.Err()
	}
	in.reproduce(r, opts)
	r.Report.Results = slices.DeleteFunc(r.Report.Results, func(one finding.Result) bool { return one.Rule == "" }) // what was not called is told already
	c.add("fuzz", r.Report)
	m := r.Report.Metrics
	about := fmt.Sprintf("%s of %s: %s", plural(int(m["cases_run"]), "call"), plural(int(m["tools"]), "tool"), broke(m))
	c.result.Areas = append(c.result.Areas, CheckArea{"robustness", fuzzGrade(r), about})
	return nil
}

// broke counts what was found, in words.
func broke(m map[string]float64) string {
	var all []string
	for _, kind := range []struct{ metric, one, many string }{{"crashes", "crash", "crashes"}, {"hangs", "hang", "hangs"}, {"violations", "violation", "violations"}, {"leaks", "leak", "leaks"}} {
		switch n := int(m[kind.metric]); {
		case n == 1:
			all = append(all, "1 "+kind.one)
		case n > 1:
			all = append(all, fmt.Sprintf("%d %s", n, kind.many))
		}
	}
	return cmp.Or(strings.Join(all, ", "), "nothing broke")
}

// fuzzGrade is F for a server that can be ended by a call, D for one that hangs, C where errors were found, B for warnings.
func fuzzGrade(r *fuzz.Result) string {
	grade := "A"
	for _, f := range r.Found {
		switch {
		case f.Severity == finding.Critical:
			return "F"
		case f.Rule.ID == "FUZZ-002":
			grade = max(grade, "D")
		case f.Severity == finding.Error:
			grade = max(grade, "C")
		default:
			grade = max(grade, "B")
		}
	}
	return grade
}

// conclude says what all areas come to: the worst of them. And it says where to go on.
func (c *checking) conclude() {
	r := c.result
	for _, a := range r.Areas {
		r.Grade = max(r.Grade, a.Grade)
	}
	c.report.Metrics["grade"] = float64(strings.Index("FDCBA", r.Grade))
	c.tellBroken()
	target := (&FuzzInput{Connection: c.in.Connection}).targetWords()
	if c.in.open != nil {
		return
	}
	findings := c.report.Findings()
	by := func(family string) bool {
		return slices.ContainsFunc(findings, func(f finding.Finding) bool {
			return finding.Family(f.Rule) == family && f.Severity.AtLeast(finding.Warning)
		})
	}
	if by("SCH") {
		r.Next = append(r.Next, "mcptest schema-lint --fix "+target)
	}
	if by("FUZZ") {
		r.Next = append(r.Next, "mcptest fuzz --out found "+target)
	}
	if len(r.Next) == 0 {
		r.Next = append(r.Next, "mcptest init "+target, "mcptest inspect "+target)
	}
}

// tellBroken says which checks could not be finished: they make the check fail, and no finding tells of them.
func (c *checking) tellBroken() {
	var broken []finding.Result
	for _, r := range c.report.Results {
		if r.Broken != "" {
			broken = append(broken, r)
		}
	}
	if len(broken) == 0 {
		return
	}
	first := broken[0]
	text := fmt.Sprintf("%s that could not be finished, which counts as a failure; the first is %s: %s", plural(len(broken), "check"), cmp.Or(first.Rule, first.Name), first.Broken)
	c.result.NotTested = append(c.result.NotTested, text+" (--budget gives more time)")
}

func (c *checking) writeHTML(file string) error {
	var out strings.Builder
	if err := report.Write(&out, "html", c.report, &c.result.opts); err != nil {
		return err
	}
	if err := writeFile(file, []byte(out.String())); err != nil {
		return &UsageError{Message: "--html: " + err.Error()}
	}
	return nil
}
