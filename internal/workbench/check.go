package workbench

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/lint"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
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

// Bound says how long the check may take in all.
func (in *CheckInput) Bound(within time.Duration) { in.Budget = within }

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

	area    map[string]string // by rule
	tools   *lint.Catalog     // that it listed; nil if they could not be read
	verbose bool
}

// A CheckArea is the verdict of one engine.
type CheckArea struct {
	Name  string `json:"name"`
	Grade string `json:"grade"`
	About string `json:"about"`
}

// A checkVerdict is what all findings come to, for programs.
type checkVerdict struct {
	Server    string      `json:"server"`
	Offers    string      `json:"offers"`
	Grade     string      `json:"grade"`
	Areas     []CheckArea `json:"areas"`
	NotTested []string    `json:"not_tested"`
	Next      []string    `json:"next,omitempty"`
}

// Failed reports whether the server failed, or any of several.
func (r *CheckResult) Failed() bool {
	if r.Table != nil {
		return r.Table.failed()
	}
	return r.fails
}

// RawJSON is the report with the verdict in its member check, or the table.
func (r *CheckResult) RawJSON() []byte {
	if r.Table != nil {
		raw, _ := json.Marshal(r.Table) // plain data always marshals
		return raw
	}
	raw := r.Judged.RawJSON()
	if r.format != "" {
		return raw
	}
	verdict, err := json.MarshalIndent(checkVerdict{r.Server, r.Offers, r.Grade, r.Areas, append([]string{}, r.NotTested...), r.Next}, "  ", "  ")
	if err != nil {
		return raw
	}
	if r.opts.Scrub != nil {
		verdict = []byte(r.opts.Scrub(string(verdict)))
	}
	return withMember(raw, "check", verdict)
}

// Shares of the time that a check has.
const (
	checkBudget = time.Minute
	fuzzShare   = 5 // a fifth of what is left
	checkCases  = 300
	checkFuzz   = 10 * time.Second // at most: a person waits for the verdict
	hangShare   = 5                // of the time that is left: a silent call is waited for once more, for all of it
	longestHang = 10 * time.Second // silence that is a hang and not just slow
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
	if in.Budget < 0 {
		return nil, &UsageError{Message: fmt.Sprintf("--budget is %v", in.Budget), Hint: "a time such as 30s or 2m"}
	}
	budget := cmp.Or(in.Budget, checkBudget)
	ends := time.Now().Add(budget)
	c := &checking{w: w, in: in, result: &CheckResult{verbose: in.Verbose, area: map[string]string{}}, report: &finding.Report{Engine: "check", Target: in.Connection.shown(), Version: w.Version, Started: time.Now(), Metrics: map[string]float64{}}}
	if err := c.look(ctx, budget/2); err != nil {
		return nil, err
	}
	if err := c.conform(ctx, time.Until(ends)*(fuzzShare-1)/fuzzShare); err != nil {
		return nil, err
	}
	if err := c.lint(ctx); err != nil {
		return nil, err
	}
	if err := c.fuzz(ctx, ends); err != nil {
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
	w       *Workbench
	in      *CheckInput
	session *mcp.Session // on which the server was looked at
	result  *CheckResult
	report  *finding.Report
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
