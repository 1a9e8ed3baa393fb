package workbench

import (
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// An InitInput is the input of SuiteInit.
type InitInput struct {
	Connection
	Out   string `json:"out,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"output file (default mcptest.yaml); - prints to stdout"`
	Force bool   `json:"force,omitempty" surface:"cli" jsonschema:"overwrite an existing file"`
}

// An InitResult is a generated suite.
type InitResult struct {
	Suite   string   `json:"suite"`
	Tests   int      `json:"tests"`
	Skipped []string `json:"skipped,omitempty"` // what has no test, and why
	File    string   `json:"file,omitempty"`    // where it was written
}

// SuiteInit generates a suite from a running server.
var SuiteInit = Op[InitInput, *InitResult]{
	Uses: Frames,
	Name: "init", Tool: "scaffold_suite", Surfaces: Page | Assistant, Calls: true,
	Doc: "Generate a test suite from a running server\n\n" +
		"Safe tools (readOnlyHint) are called twice with sample arguments; others are skipped, and the suite states why.",
	Help:    "The suite is written to mcptest.yaml, or to the file given with --out. Run it with mcptest run.",
	Example: "mcptest init demo --out first.yaml",
	Run:     runInit,
	Text:    writeInit,
}

// defaultSuite is the default file of init, and the first that mcptest run looks for.
const defaultSuite = "mcptest.yaml"

func runInit(ctx context.Context, w *Workbench, in *InitInput) (*InitResult, error) {
	file := in.Out
	if file == "" {
		file = defaultSuite
	}
	toFile := file != "-" && in.open == nil && w.Grants.Files
	if toFile && !in.Force {
		if _, err := os.Stat(file); err == nil {
			return nil, &UsageError{Message: file + " already exists", Hint: "use {--out} FILE to write elsewhere, {--out} - to print it, or {--force} to overwrite it"}
		}
	}
	s := in.open
	var connect func(context.Context) (*mcp.Session, error)
	if s == nil {
		connect = func(ctx context.Context) (*mcp.Session, error) {
			return w.connect(ctx, &in.Connection, mcp.Options{}) // like a run: requests from the server are not answered
		}
		var err error
		if s, err = connect(ctx); err != nil {
			return nil, err
		}
		defer func() { _ = s.Close() }()
	}
	scaffold, err := suite.NewScaffold(ctx, s, connect, serverLines(&in.Connection), w.System.Home, w.System.Dir)
	if err != nil {
		return nil, err
	}
	result := &InitResult{Suite: string(scaffold.YAML), Tests: scaffold.Tests, Skipped: scaffold.Skipped}
	if !toFile {
		return result, nil
	}
	if err := w.writeFile(file, scaffold.YAML); err != nil {
		return nil, &UsageError{Message: err.Error(), Hint: "use {--out} to choose another file"}
	}
	result.File = file
	return result, nil
}

func writeInit(out io.Writer, r *InitResult) error {
	if r.File == "" {
		_, err := io.WriteString(out, r.Suite)
		return err
	}
	t := newText(out)
	t.line(fmt.Sprintf("%s has %s.", r.File, plural(r.Tests, "test")))
	if len(r.Skipped) > 0 {
		t.line(fmt.Sprintf("%s no test; see the comments in the file.", map[bool]string{true: "One item has", false: fmt.Sprintf("%d items have", len(r.Skipped))}[len(r.Skipped) == 1]))
	}
	t.line("Next: mcptest run" + map[bool]string{false: " " + r.File}[r.File == defaultSuite])
	return t.err
}

// serverLines returns the server entry of a suite. Values of variables and headers are not written: they are
// read from the environment when the suite runs.
func serverLines(c *Connection) string {
	c = c.named()
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	switch {
	case len(c.Command) > 0:
		line("  local:")
		words := make([]string, len(c.Command))
		for i, word := range c.Command {
			words[i] = quoteYAML(word)
		}
		line("    command: [%s]", strings.Join(words, ", "))
	case strings.Contains(c.Target, "://"):
		line("  local:\n    url: %s", quoteYAML(redact.URL(c.Target)))
	case c.Target == "":
		line("  local: demo # replace with your server")
		return b.String()
	case c.Protocol == "" && c.Timeout == 0 && c.LogLevel == "":
		line("  local: %s", quoteYAML(c.Target))
		return b.String()
	default:
		line("  local:\n    target: %s", quoteYAML(c.Target))
	}
	for _, said := range []struct{ key, value string }{{"protocol", c.Protocol}, {"timeout", durationText(c.Timeout)}, {"log_level", c.LogLevel}} {
		if said.value != "" {
			line("    %s: %s", said.key, quoteYAML(said.value))
		}
	}
	if c.Cwd != "" {
		line("    cwd: %s", quoteYAML(c.Cwd))
	}
	writeNames(line, "env", c.Env, "=")
	writeNames(line, "headers", c.Header, ":")
	return b.String()
}

func durationText(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return d.String()
}

func writeNames(line func(string, ...any), key string, values []string, separator string) {
	if len(values) == 0 {
		return
	}
	line("    %s:", key)
	for _, v := range values {
		name, value, _ := strings.Cut(v, separator)
		variable := strings.ToUpper(notInName.ReplaceAllString(name, "_"))
		if given := strings.TrimSpace(value); strings.HasPrefix(given, "$") && !notInName.MatchString(given[1:]) {
			variable = given[1:]
		}
		line("      %s: ${%s}", quoteYAML(name), variable)
	}
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9_]`)

// quoteYAML quotes a string so that YAML reads it unchanged, and it is not a reference.
func quoteYAML(text string) string {
	return fmt.Sprintf("%q", strings.ReplaceAll(text, "${", "$${"))
}
