package inspector

import (
	"fmt"
	"strings"
)

// asSuite is the call as a suite with one test, for mcptest run. A call that worked is expected to work, one that failed is
// expected to fail as it did: what more must hold is the person's to add.
func (c *conn) asSuite(one *call) (string, error) {
	if c.origin() == nil {
		return "", usage("a transcript has no server to call")
	}
	in := one.in
	var b strings.Builder
	b.WriteString("servers:\n" + c.suiteServer())
	arguments := c.scrub(string(one.request.Arguments))
	switch {
	case in.Raw != "":
		return "", usage("a frame that was sent as it is has no place in a suite").hint("copy it as a mcptest command")
	case in.Method == "tools/call" && in.ParamsJSON == "":
		fmt.Fprintf(&b, "tools:\n  - name: %s\n    tool: %s\n", yamlText(in.Name), yamlText(in.Name))
		if arguments != "" {
			fmt.Fprintf(&b, "    args: %s\n", yamlFlow(arguments))
		}
	case in.Method == "resources/read" && in.ParamsJSON == "":
		fmt.Fprintf(&b, "resources:\n  - uri: %s\n", yamlText(in.Name))
	case in.Method == "prompts/get" && in.ParamsJSON == "":
		fmt.Fprintf(&b, "prompts:\n  - prompt: %s\n", yamlText(in.Name))
		if arguments != "" {
			fmt.Fprintf(&b, "    args: %s\n", yamlFlow(arguments))
		}
	default:
		fmt.Fprintf(&b, "raw:\n  - method: %s\n", yamlText(in.Method))
		if params := one.request.SentParams(); params != nil {
			fmt.Fprintf(&b, "    params: %s\n", yamlFlow(c.scrub(string(params))))
		}
	}
	fmt.Fprintf(&b, "    expect: %s\n", one.expectation())
	return b.String(), nil
}

// expectation is what came of a call.
func (one *call) expectation() string {
	switch v := one.verdicts; {
	case v != nil && v.RPC != nil:
		return fmt.Sprintf("{error_code: %s}", v.RPC.Code)
	case v != nil && v.Tool != "none":
		return fmt.Sprintf("{is_error: %t}", v.Tool == "error")
	}
	return "{exists: true}"
}

// suiteServer is how the suite reaches the server; secrets are variables of the environment.
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

// yamlText is a text that YAML reads as itself, and in which no variable is meant.
func yamlText(text string) string { return fmt.Sprintf("%q", strings.ReplaceAll(text, "${", "$${")) }

// yamlFlow is JSON, which is YAML, in which no variable is meant.
func yamlFlow(raw string) string { return strings.ReplaceAll(raw, "${", "$${") }
