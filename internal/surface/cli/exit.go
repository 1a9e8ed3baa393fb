package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcptest-dev/mcptest/internal/ops/recordings"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// The exit statuses.
const (
	exitOK         = 0
	exitFailed     = 1  // completed, with findings
	exitUsage      = 2  // usage error; nothing was sent
	exitTarget     = 3  // server unreachable, crashed or timed out
	exitIncomplete = 4  // nothing failed, but not everything could be tested
	exitBug        = 70 // internal error
	exitStopped    = 130
)

// An ExitStatus is one of the exit statuses of mcptest.
type ExitStatus struct {
	Code    int
	Meaning string
	When    string // typical causes
}

// ExitStatuses lists them. They are the same for all commands.
func ExitStatuses() []ExitStatus {
	return []ExitStatus{
		{exitOK, "success", "the tool returned a result, all tests passed, no findings counted"},
		{exitFailed, "completed, with failures or findings",
			"a tool returns `isError`; the server returns an error; a finding, a failed test, a failed threshold, " +
				"an invalid result, or a failed write"},
		{exitUsage, "invalid request; nothing was sent",
			"an unknown flag, arguments that do not match the tool's schema, an unknown server name, an invalid " +
				"suite file"},
		{exitTarget, "the server cannot be reached, crashed, or did not respond",
			"a command that does not start, connection refused, no response within `--timeout`"},
		{exitIncomplete, "nothing failed, but not everything could be tested",
			"`check` stopped before an area was tested: the time limit was " +
				"reached, a call got no response, the server exited"},
		{exitBug, "internal error", "a bug in mcptest; please report it with the output"},
		{exitStopped, "interrupted", "Ctrl+C or SIGTERM; a gateway that drains its in-flight calls exits with 0"},
	}
}

// stderrLines is how many of a server's last lines are shown with an error.
const stderrLines = 10

// finish shows an error and returns the exit status.
func (a *app) finish(err error) int {
	if failure := a.out.failure(); failure != nil && !closedByReader(failure) {
		a.say("mcptest: write to stdout: " + writeProblem(failure))
		return exitFailed
	} else if err == nil || failure != nil || stdoutClosed(err) {
		return a.status
	}
	var status exitStatus
	if errors.As(err, &status) {
		return int(status)
	}
	var server *recordings.ServerExit
	if errors.As(err, &server) {
		return a.exitLike(server.Exit)
	}
	code := a.exitCode(err)
	if code != exitStopped {
		a.showError(err)
	}
	if code == exitTarget {
		a.writeFailure(err)
	}
	return code
}

// exitLike returns the exit status of a server; if a signal ended it, that signal ends this process too.
func (a *app) exitLike(exit *wire.ExitError) int {
	if exit.Signal == 0 {
		return exit.Code
	}
	if a.env.Raise != nil {
		a.env.Raise(exit.Signal)
	}
	return 128 + int(exit.Signal)
}

func (a *app) exitCode(err error) int {
	var usage *workbench.UsageError
	var wrong *target.Error
	switch {
	case errors.Is(err, context.Canceled):
		return exitStopped
	case errors.As(err, &usage), errors.As(err, &wrong), !a.started:
		return exitUsage
	}
	return exitTarget
}

// showError prints what happened, the last stderr output of the server, and a hint.
func (a *app) showError(err error) {
	t := a.note()
	a.say("mcptest: " + report.Visible(a.message(err)))
	var e *wire.Error
	if errors.As(err, &e) && strings.TrimSpace(e.Stderr) != "" {
		fmt.Fprintln(t, "last lines of server stderr:")
		for _, line := range wire.StderrSummary(e.Stderr, stderrLines) {
			fmt.Fprintf(t, "  %s\n", report.Visible(a.scrub(line)))
		}
	}
	if hint := a.hint(err); hint != "" {
		a.sayHint(report.Visible(a.secrets.Exact(hint)))
	}
}

// message returns the text of an error, without secrets. Errors of package target about a header contain no
// value, although they look like it.
func (a *app) message(err error) string {
	var wrong *target.Error
	if errors.As(err, &wrong) {
		return a.secrets.Exact(wrong.Message)
	}
	text := strings.TrimSuffix(err.Error(), ` for "mcptest"`) // cobra names the parent of an unknown command
	var failed *wire.Error
	if errors.As(err, &failed) && strings.HasPrefix(text, failed.Doing+" ") {
		text = "cannot " + text
	}
	return a.scrub(text)
}

// hint returns what to try: for the syntax of another MCP tool, the equivalent command; for an invalid request without
// a better hint, the help of the command.
func (a *app) hint(err error) string {
	hint := hintOf(err)
	if a.exitCode(err) == exitUsage {
		if line := equivalent(a.env.Args); line != "" {
			return "run: " + a.scrub(line)
		}
	}
	switch {
	case hint != "" || a.command == nil || a.exitCode(err) != exitUsage:
		return hint
	case strings.HasPrefix(err.Error(), "unknown command"):
		return didYouMean(a.command, err) + "run: mcptest --help"
	case strings.Contains(err.Error(), "no such file or directory"),
		strings.Contains(err.Error(), "cannot find the file"):
		return "check the path (relative to the current directory), or run: " + a.command.CommandPath() + " --help"
	}
	return "run: " + a.command.CommandPath() + " --help"
}

// didYouMean suggests commands with a similar spelling.
func didYouMean(root *cobra.Command, err error) string {
	_, rest, _ := strings.Cut(err.Error(), `"`)
	typed, _, _ := strings.Cut(rest, `"`)
	root.SuggestionsMinimumDistance = 2
	if near := root.SuggestionsFor(typed); len(near) > 0 {
		return "did you mean " + strings.Join(near, " or ") + "? "
	}
	return ""
}

func hintOf(err error) string {
	var usage *workbench.UsageError
	var wrong *target.Error
	var e *wire.Error
	switch {
	case errors.As(err, &usage):
		return usage.Hint.String()
	case errors.As(err, &wrong):
		return wrong.Hint.String()
	case errors.As(err, &e):
		return e.Hint.String()
	}
	return ""
}

// scrub removes secrets from output: known ones, and what looks like one.
func (a *app) scrub(s string) string {
	if a.view.noRedact {
		return s
	}
	return a.secrets.Text(s)
}
