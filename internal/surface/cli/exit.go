package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// The exit statuses.
const (
	exitOK         = 0
	exitFailed     = 1  // it worked, and found problems
	exitUsage      = 2  // the request is wrong; nothing was sent
	exitTarget     = 3  // the server cannot be reached, died, or stayed silent
	exitIncomplete = 4  // nothing failed, but not everything could be tested
	exitBug        = 70 // our own fault
	exitStopped    = 130
)

// An ExitStatus is one of the statuses that mcptest ends with.
type ExitStatus struct {
	Code    int
	Meaning string
	When    string // what brings it about, for example
}

// ExitStatuses lists them. Every command has the same.
func ExitStatuses() []ExitStatus {
	return []ExitStatus{
		{exitOK, "all is well", "the tool answered, every test passed, no finding counts"},
		{exitFailed, "it worked, and there is a problem", "a tool says `isError`; the server answers with an error; a finding, a failed test, a threshold that " +
			"does not hold; a result that is no use or cannot be written"},
		{exitUsage, "the request is wrong; nothing was sent", "an unknown flag, arguments that the tool's schema forbids, a name that no config file has, a suite with a mistake"},
		{exitTarget, "the server cannot be reached, died, or stayed silent", "a command that does not start, a refused connection, no answer within `--timeout`"},
		{exitIncomplete, "nothing failed, but not everything could be tested", "`check` ended before an area was tested: the time limit was " +
			"reached, a call got no response, the server exited"},
		{exitBug, "a bug in mcptest", "please report it, with what was printed"},
		{exitStopped, "stopped by you", "Ctrl+C, or SIGTERM; a gateway that ends its calls first, and then itself, ends with 0"},
	}
}

// stderrLines is how many of a server's last lines are shown with an error.
const stderrLines = 10

// finish shows an error and returns the exit status.
func (a *app) finish(err error) int {
	if failure := a.out.failure(); failure != nil && !closedByReader(failure) {
		fmt.Fprintf(a.note(), "mcptest: write to standard output: %v\n", failure)
		return exitFailed
	} else if err == nil || failure != nil {
		return a.status
	}
	var status exitStatus
	if errors.As(err, &status) {
		return int(status)
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

// showError tells what happened, what the server last said, and what to try.
func (a *app) showError(err error) {
	t := a.note()
	fmt.Fprintf(t, "mcptest: %s\n", report.Visible(a.message(err)))
	var e *wire.Error
	if errors.As(err, &e) && strings.TrimSpace(e.Stderr) != "" {
		fmt.Fprintln(t, "its last words on standard error:")
		for _, line := range wire.Closing(e.Stderr, stderrLines) {
			fmt.Fprintf(t, "  %s\n", report.Visible(a.scrub(line)))
		}
	}
	if hint := a.hint(err); hint != "" {
		fmt.Fprintf(t, "try: %s\n", report.Visible(a.secrets.Exact(hint)))
	}
}

// message is what an error says, without secrets. What target says about a header names no value, only looks so.
func (a *app) message(err error) string {
	var wrong *target.Error
	if errors.As(err, &wrong) {
		return a.secrets.Exact(wrong.Message)
	}
	return a.scrub(err.Error())
}

// hint is what to try. Where nothing better is known about a request that is wrong, that is the help of the command.
func (a *app) hint(err error) string {
	hint := hintOf(err)
	switch {
	case hint != "" || a.command == nil || a.exitCode(err) != exitUsage:
		return hint
	case strings.HasPrefix(err.Error(), "unknown command"):
		return didYouMean(a.command, err) + "mcptest --help shows the commands"
	case strings.Contains(err.Error(), "no such file or directory"), strings.Contains(err.Error(), "cannot find the file"):
		return "is the path right? It is looked for from the directory that you are in; " + a.command.CommandPath() + " --help shows what is wanted"
	}
	return a.command.CommandPath() + " --help shows what is wanted"
}

// didYouMean names the commands that are spelt nearly like the one that there is not.
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
		return usage.Hint
	case errors.As(err, &wrong):
		return wrong.Hint
	case errors.As(err, &e):
		return e.Hint
	}
	return ""
}

// scrub takes secrets out of what is shown: those that we were given, and what looks like one.
func (a *app) scrub(s string) string {
	if a.view.noRedact {
		return s
	}
	return a.secrets.Text(s)
}
