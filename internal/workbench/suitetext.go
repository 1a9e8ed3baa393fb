package workbench

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/suite/variables"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// ServerLines returns the server entry of a suite. Values of variables and headers are not written: they are
// read from the environment when the suite runs.
func ServerLines(c *Connection) string {
	c = c.named()
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	switch {
	case len(c.Command) > 0:
		line("  local:")
		words := make([]string, len(c.Command))
		for i, word := range c.Command {
			words[i] = QuoteYAML(word)
		}
		line("    command: [%s]", strings.Join(words, ", "))
	case strings.Contains(c.Target, "://"):
		line("  local:\n    url: %s", QuoteYAML(redact.URL(c.Target)))
	case c.Target == "":
		line("  local: demo # replace with your server")
		return b.String()
	case c.Protocol == "" && c.Timeout == 0 && c.LogLevel == "":
		line("  local: %s", QuoteYAML(c.Target))
		return b.String()
	default:
		line("  local:\n    target: %s", QuoteYAML(c.Target))
	}
	for _, said := range []struct{ key, value string }{{"protocol", c.Protocol}, {"timeout", durationText(c.Timeout)},
		{"log_level", c.LogLevel}} {
		if said.value != "" {
			line("    %s: %s", said.key, QuoteYAML(said.value))
		}
	}
	if c.Cwd != "" {
		line("    cwd: %s", QuoteYAML(c.Cwd))
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
		line("      %s: ${%s}", QuoteYAML(name), variable)
	}
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9_]`)

// QuoteYAML quotes a string so that YAML reads it unchanged, and it is not a reference.
func QuoteYAML(text string) string {
	return fmt.Sprintf("%q", variables.Escape(text))
}
