package suiterun

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/distill"
	"github.com/mcptest-dev/mcptest/internal/ops/recordings"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A FromInput is the input of From.
type FromInput struct {
	Session string   `json:"session" cli:"arg" jsonschema:"a recorded session (ID, its unique beginning or end, or its name), or a transcript file"`
	Target  string   `json:"target,omitempty" cli:"optional" jsonschema:"the server of the suite: a URL or a configured server name (default: the recorded command or URL)"`
	Command []string `json:"command,omitempty" cli:"command" jsonschema:"the command that starts the server of the suite, as argv"`
	Out     string   `json:"out,omitempty" placeholder:"FILE" jsonschema:"output file (default mcptest.yaml); - prints to stdout"`
	Force   bool     `json:"force,omitempty" jsonschema:"overwrite an existing file"`
}

// A FromResult is a suite made from a recording.
type FromResult struct {
	Suite     string         `json:"suite"`
	Tests     int            `json:"tests"`
	Skipped   []distill.Skip `json:"skipped"`   // requests without a test
	Variables []string       `json:"variables"` // environment variables that the suite needs
	File      string         `json:"file,omitempty"`
}

// From makes a suite from a recording.
var From = workbench.Op[FromInput, *FromResult]{
	Name: "suite from", Parent: &suites,
	Doc: "Make a suite from a recorded session\n\n" +
		"The suite has one test for each distinct call, and one for each distinct error. IDs, times and other values\n" +
		"that differ from run to run are matched by their form. A call that uses an ID of an earlier response is in\n" +
		"one sequence with it. Secrets become environment variables: the recording does not contain them.",
	Help: "The server of the suite is the recorded command or URL; pass TARGET or a command for another one. The suite\n" +
		"is written to mcptest.yaml, or to the file given with --out. Run it with mcptest run. Tests of tools without\n" +
		"readOnlyHint have the tag unsafe.",
	Example: "mcptest suite from session.jsonl demo --out recorded.yaml",
	Run:     runFrom,
	Text:    writeFrom,
}

func runFrom(_ context.Context, w *workbench.Workbench, in *FromInput) (*FromResult, error) {
	if in.Target != "" && len(in.Command) > 0 {
		return nil, &workbench.UsageError{Message: "a server and a command are mutually exclusive",
			Hint: "remove one of them"}
	}
	file := cmp.Or(in.Out, defaultSuite)
	if _, err := os.Stat(file); err == nil && file != "-" && !in.Force {
		return nil, &workbench.UsageError{Message: file + " already exists",
			Hint: "use {--out} FILE to write elsewhere, {--out} - to print it, or {--force} to overwrite it"}
	}
	recorded, about, err := recordings.Recorded(w, in.Session)
	if err != nil {
		return nil, err
	}
	connection := &workbench.Connection{Target: in.Target, Command: in.Command}
	if in.Target == "" && len(in.Command) == 0 {
		if about == nil {
			return nil, &workbench.UsageError{Message: "a transcript file does not name its server",
				Hint: "pass the server after the file: a URL, a configured server name, demo, or -- COMMAND"}
		}
		connection = recordings.ServerOf(about, w.System.Dir)
	}
	if slices.Contains(spec.IDs(), recorded.Protocol) {
		connection.Protocol = recorded.Protocol
	}
	lines, variables := recordings.SuiteServer(connection)
	made := distill.From(recorded, lines)
	result := &FromResult{Suite: string(made.YAML), Tests: made.Tests, Skipped: made.Skipped,
		Variables: append(variables, made.Variables...)}
	if made.Tests == 0 {
		return nil, &workbench.UsageError{Message: "the recording has no request that a suite can repeat",
			Hint: "to see its messages, run: {mcptest tap view}"}
	}
	if file == "-" {
		return result, nil
	}
	if err := w.WriteFile(file, made.YAML); err != nil {
		return nil, &workbench.UsageError{Message: err.Error(), Hint: "use {--out} to choose another file"}
	}
	result.File = file
	return result, nil
}

func writeFrom(out io.Writer, r *FromResult) error {
	if r.File == "" {
		_, err := io.WriteString(out, r.Suite)
		return err
	}
	t := workbench.NewText(out)
	t.Line(fmt.Sprintf("%s has %s.", r.File, workbench.Plural(r.Tests, "test")))
	for _, s := range r.Skipped {
		t.Line(fmt.Sprintf("no test for %s (%s): %s", report.Visible(s.Subject), workbench.Plural(s.Calls, "request"), s.Why))
	}
	if len(r.Variables) > 0 {
		t.Line("Set these environment variables before you run it: " + strings.Join(r.Variables, ", "))
	}
	t.Line("Next: mcptest run" + map[bool]string{false: " " + r.File}[r.File == defaultSuite])
	return t.Err
}
