// Package changes has the operations about changes of a server: diff, lock and approve.
package changes

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A DiffInput is the input of Diff.
type DiffInput struct {
	Old      string        `json:"old,omitempty" cli:"optional" jsonschema:"the old state: a server, a lock file, a captured tools/list, a transcript, npm:NAME@VERSION or pypi:NAME@VERSION"`
	New      string        `json:"new,omitempty" cli:"optional" jsonschema:"the new state, in the same forms"`
	Command  []string      `json:"command,omitempty" cli:"command" jsonschema:"the command that starts the new server, as argv; with --with, the server whose configurations are compared"`
	With     []string      `json:"with,omitempty" placeholder:"CONFIG" jsonschema:"compare configurations of one server instead: variables (NAME=VALUE) and arguments that are added to its command; repeat for each"`
	Env      []string      `json:"env,omitempty" placeholder:"K[=V]" jsonschema:"set an environment variable for both servers; without a value, inherit it"`
	Header   []string      `json:"header,omitempty" placeholder:"'NAME: VALUE'" jsonschema:"add an HTTP header for both servers"`
	Timeout  time.Duration `json:"timeout,omitempty" placeholder:"D" jsonschema:"request timeout (default 1m)"`
	Protocol string        `json:"protocol,omitempty" placeholder:"REV" jsonschema:"protocol version: auto or a date such as 2025-06-18"`
	Config   string        `json:"config,omitempty" placeholder:"FILE" jsonschema:"read servers from this config file instead of the hosts' config files"`
	Calls    []string      `json:"calls,omitempty" placeholder:"FILE" jsonschema:"list the calls of this transcript or suite that are rejected now; repeatable"`
	FailOn   string        `json:"fail_on,omitempty" placeholder:"VERDICT" jsonschema:"exit with 1 on this verdict or a more severe one: breaking (default), unknown, meaning, compatible or cosmetic; suspicious is breaking or suspicious; none never fails"`
	Format   string        `json:"format,omitempty" placeholder:"FORMAT" jsonschema:"text, json, markdown, sarif, github, gitlab, junit, tap or html"`
	Verbose  bool          `json:"verbose,omitempty" jsonschema:"also list cosmetic changes and what each verdict rests on"`
}

// A DiffResult is the difference of two states.
type DiffResult struct {
	*change.Diff
	Affected *DiffAffected `json:"affected,omitempty"`
	Matrix   *DiffMatrix   `json:"matrix,omitempty"` // with --with, instead of the rest

	failOn  change.Verdict // empty if nothing fails
	suspect bool           // suspicious changes fail too
	format  string
	verbose bool
	opts    report.Options
}

// Failed reports whether a change is as severe as --fail-on, or more.
func (r *DiffResult) Failed() bool {
	if r.Matrix != nil {
		return false
	}
	if r.failOn != "" && r.Affected != nil && r.Affected.Calls != nil && len(r.Affected.Calls.Failing) > 0 {
		return true
	}
	if r.suspect && len(suspicionLines(r.Diff)) > 0 {
		return true
	}
	return r.failOn != "" && r.Verdict != "" && r.Verdict.AtLeast(r.failOn) &&
		(r.Verdict != change.Unknown || r.failOn != change.Breaking)
}

// Incomplete reports whether something could not be decided.
func (r *DiffResult) Incomplete() bool {
	if r.Matrix != nil {
		return false
	}
	return !r.Failed() && r.failOn != "" && r.Counts[change.Unknown] > 0
}

// RawJSON returns the difference as JSON, or in the requested format.
func (r *DiffResult) RawJSON() []byte {
	if r.format != "" && r.format != "json" {
		var out strings.Builder
		if err := writeDiff(&out, r); err != nil {
			return nil
		}
		return []byte(strings.TrimSuffix(out.String(), "\n"))
	}
	if r.Matrix != nil {
		raw, _ := json.MarshalIndent(r.Matrix, "", "  ") // plain data always marshals
		return raw
	}
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if encoder.Encode(struct {
		*change.Diff
		Affected *DiffAffected `json:"affected,omitempty"`
	}{r.Diff, r.Affected}) != nil {
		return nil
	}
	return []byte(strings.TrimSuffix(out.String(), "\n"))
}

// Diff compares two states of a server.
var Diff = workbench.Op[DiffInput, *DiffResult]{
	Name: "diff", Section: workbench.Test, Order: 80,
	Doc: "Compare two states of a server and find breaking changes\n\n" +
		"OLD and NEW are servers (as for TARGET elsewhere), lock files, files with a captured tools/list, " +
		"transcripts, or\n" +
		"packages: npm:NAME@VERSION runs the package with npx, pypi:NAME@VERSION with uvx. FILE#NAME selects a " +
		"server of a\n" +
		"lock file with several. A command after -- is NEW.\n\n" +
		"With --with, it shows what one server offers in several configurations, as a table.\n\n" +
		"Each change has a verdict: breaking (a valid call is rejected, a promised result is not promised, something " +
		"is\n" +
		"gone), unknown (not decided), meaning (a model may act differently), compatible, or cosmetic. A breaking " +
		"change\n" +
		"has a counterexample that both schemas confirm. Calls with arguments that the old schema does not declare " +
		"are\n" +
		"listed separately and do not count. Suspicious changes, such as new instructions to the model, are listed " +
		"first.\n\n" +
		"The report also lists hosts that treat the new tools differently, the tokens of the definitions, and with " +
		"--calls the\n" +
		"recorded calls that are rejected now.\n\n" +
		"Exits with 1 on a breaking change or a rejected call (change it with --fail-on), and with 4 if a change " +
		"could not be decided.",
	Example: "mcptest diff demo demo-flawed --fail-on none" + "\n" +
		"mcptest diff tools.json demo --fail-on none --format markdown" + "\n" +
		"mcptest diff demo -- mcptest demo" + "\n" +
		"mcptest diff --with A=1 --with '' -- mcptest demo",
	Run:  runDiff,
	Text: writeDiff,
}

func runDiff(ctx context.Context, w *workbench.Workbench, in *DiffInput) (*DiffResult, error) {
	failOn, err := failOnVerdict(in.FailOn)
	if err != nil {
		return nil, err
	}
	if err := (&workbench.RuleOptions{Format: in.Format}).Check(); err != nil {
		return nil, err
	}
	if len(in.With) > 0 {
		if in.Format != "" && in.Format != "text" && in.Format != "json" {
			return nil, &workbench.UsageError{Message: fmt.Sprintf("--format %s is not available with --with",
				in.Format),
				Hint: "use text or json"}
		}
		m, err := matrix(ctx, w, in)
		if err != nil {
			return nil, err
		}
		return &DiffResult{Matrix: m, format: in.Format}, ctx.Err()
	}
	if in.Old == "" || (in.New == "") == (len(in.Command) == 0) {
		return nil, &workbench.UsageError{Message: "expected two states to compare",
			Hint: "use: mcptest diff OLD NEW, or mcptest diff OLD -- COMMAND"}
	}
	before, err := oldState(ctx, w, in)
	if err != nil {
		return nil, err
	}
	after, err := newState(ctx, w, in)
	if err != nil {
		return nil, err
	}
	d := change.Compare(before, after)
	affected, err := affected(ctx, w, in, before, after, d)
	if err != nil {
		return nil, err
	}
	return &DiffResult{Diff: d, Affected: affected, failOn: failOn, suspect: in.FailOn == failOnSuspicious,
		format: in.Format, verbose: in.Verbose,
		opts: report.Options{Verbose: in.Verbose}}, ctx.Err()
}

func failOnVerdict(name string) (change.Verdict, error) {
	if name == failOnSuspicious {
		return change.Breaking, nil
	}
	switch v := change.Verdict(cmp.Or(name, string(change.Breaking))); {
	case name == "none":
		return "", nil
	case slices.Contains(change.Verdicts(), v):
		return v, nil
	}
	return "", &workbench.UsageError{Message: fmt.Sprintf("invalid value %q for --fail-on", name),
		Hint: "use breaking, suspicious, unknown, meaning, compatible, cosmetic or none"}
}

// failOnSuspicious also fails on suspicious changes, besides breaking ones.
const failOnSuspicious = "suspicious"

// writeDiff shows a difference in the requested format.
func writeDiff(out io.Writer, r *DiffResult) error {
	switch cmp.Or(r.format, "text") {
	case "text":
		if r.Matrix != nil {
			return writeMatrix(out, r.Matrix)
		}
		return writeDiffText(workbench.NewText(out), r)
	case "json":
		_, err := fmt.Fprintln(out, string(r.RawJSON()))
		return err
	case "markdown":
		_, err := io.WriteString(out, diffMarkdown(r))
		return err
	}
	opts := r.opts
	opts.Counts = nil
	return report.Write(out, r.format, diffReport(r.Diff), &opts)
}
