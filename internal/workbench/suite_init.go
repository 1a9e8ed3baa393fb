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

// An InitInput asks for a first suite.
type InitInput struct {
	Connection
	Out   string `json:"out,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"where to write it (default mcptest.yaml); - prints it"`
	Force bool   `json:"force,omitempty" surface:"cli" jsonschema:"write over a file that is there"`
}

// An InitResult is a first suite.
type InitResult struct {
	Suite   string   `json:"suite"`
	Tests   int      `json:"tests"`
	Skipped []string `json:"skipped,omitempty"` // what has no test, and why
	File    string   `json:"file,omitempty"`    // where it was written
}

// SuiteInit writes a first suite from a live server.
var SuiteInit = Op[InitInput, *InitResult]{
	Name: "init", Tool: "scaffold_suite", Surfaces: Page | Assistant, Calls: true,
	Doc: "Write a first suite from a live server\n\n" +
		"Safe tools (readOnlyHint) are called twice with sample arguments; others are skipped, and the suite says why.\n\n" +
		"The suite is written to mcptest.yaml, or where --out says. mcptest run runs it.",
	Example: "mcptest init demo --out first.yaml",
	Run:     runInit,
	Text:    writeInit,
}

// defaultSuite is where a first suite goes, and what mcptest run looks for.
const defaultSuite = "mcptest.yaml"

func runInit(ctx context.Context, w *Workbench, in *InitInput) (*InitResult, error) {
	file := in.Out
	if file == "" {
		file = defaultSuite
	}
	toFile := file != "-" && in.open == nil && w.Grants.Files
	if toFile && !in.Force {
		if _, err := os.Stat(file); err == nil {
			return nil, &UsageError{Message: file + " is there already", Hint: "--out FILE writes elsewhere, --out - prints it, --force writes over it"}
		}
	}
	s := in.open
	var connect func(context.Context) (*mcp.Session, error)
	if s == nil {
		connect = func(ctx context.Context) (*mcp.Session, error) {
			return w.connect(ctx, &in.Connection, mcp.Options{}) // as a run will: it answers no questions
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
		return nil, &UsageError{Message: err.Error(), Hint: "--out names another file"}
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
		t.line(fmt.Sprintf("%s no test; the file says why.", map[bool]string{true: "One thing has", false: fmt.Sprintf("%d things have", len(r.Skipped))}[len(r.Skipped) == 1]))
	}
	t.line("Next: mcptest run" + map[bool]string{false: " " + r.File}[r.File == defaultSuite])
	return t.err
}

// serverLines is how a suite reaches the server of a connection. Values of variables and headers stay out of the file:
// they are taken from the environment when the suite runs.
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
		line("  local: demo # name the server here")
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

// quoteYAML writes a text so that YAML reads it as the same text, and no reference is made of it.
func quoteYAML(text string) string {
	return fmt.Sprintf("%q", strings.ReplaceAll(text, "${", "$${"))
}
