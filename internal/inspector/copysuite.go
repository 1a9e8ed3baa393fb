package inspector

import (
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/suite/variables"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// asSuite returns the call as a suite with one test, for mcptest run. A successful call is expected to succeed,
// a failed one to fail in the same way: the user can add further expectations.
func (c *conn) asSuite(one *call) (string, error) {
	if c.origin() == nil {
		return "", view.Usage("a transcript has no server to call")
	}
	in := one.in
	var b strings.Builder
	b.WriteString("servers:\n" + c.suiteServer())
	arguments := c.scrub(string(one.request.Arguments))
	switch {
	case in.Raw != "":
		return "", view.Usage("a raw frame cannot be copied as a suite").WithHint("copy it as an mcptest command")
	case in.Method == "tools/call" && in.ParamsJSON == "":
		fmt.Fprintf(&b, "tools:\n  - name: %s\n    tool: %s\n", yamlText(in.Name), yamlText(in.Name))
		if arguments != "" {
			fmt.Fprintf(&b, "    args: %s\n", variables.Escape(arguments))
		}
	case in.Method == "resources/read" && in.ParamsJSON == "":
		fmt.Fprintf(&b, "resources:\n  - uri: %s\n", yamlText(in.Name))
	case in.Method == "prompts/get" && in.ParamsJSON == "":
		fmt.Fprintf(&b, "prompts:\n  - prompt: %s\n", yamlText(in.Name))
		if arguments != "" {
			fmt.Fprintf(&b, "    args: %s\n", variables.Escape(arguments))
		}
	default:
		fmt.Fprintf(&b, "raw:\n  - method: %s\n", yamlText(in.Method))
		if params := one.request.SentParams(); params != nil {
			fmt.Fprintf(&b, "    params: %s\n", variables.Escape(c.scrub(string(params))))
		}
	}
	fmt.Fprintf(&b, "    expect: %s\n", one.expectation())
	return b.String(), nil
}

// expectation returns the expectation for the outcome of a call.
func (one *call) expectation() string {
	switch v := one.verdicts; {
	case v != nil && v.RPC != nil:
		return fmt.Sprintf("{error_code: %s}", v.RPC.Code)
	case v != nil && v.Tool != "none":
		return fmt.Sprintf("{is_error: %t}", v.Tool == "error")
	}
	return "{exists: true}"
}

// suiteServer returns the server entry of the suite; secrets are environment variables.
func (c *conn) suiteServer() string {
	s := c.origin().shown
	switch {
	case s.Source == "config" || s.Kind == "builtin":
		return "  local: " + yamlText(s.Name) + "\n"
	case s.Kind == "url":
		out := "  local:\n    url: " + yamlText(s.URL) + "\n"
		for i, name := range s.Headers {
			if i == 0 {
				out += "    headers:\n"
			}
			out += fmt.Sprintf("      %s: ${%s}\n", yamlText(name), variableName(name))
		}
		return out
	}
	var words []string
	for _, word := range s.Command {
		words = append(words, yamlText(word))
	}
	out := "  local:\n    command: [" + strings.Join(words, ", ") + "]\n"
	for i, name := range s.Env {
		if i == 0 {
			out += "    env:\n"
		}
		out += fmt.Sprintf("      %s: ${%[1]s}\n", name)
	}
	if s.Cwd != "" {
		out += "    cwd: " + yamlText(s.Cwd) + "\n"
	}
	return out
}

// yamlText quotes a string for YAML, without variables.
func yamlText(text string) string { return fmt.Sprintf("%q", variables.Escape(text)) }
