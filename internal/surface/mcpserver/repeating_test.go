package mcpserver_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestFindingsAreRepeated expects each finding of an engine to have the calls that repeat it, and the command for the
// user. The calls are made as they are returned.
func TestFindingsAreRepeated(t *testing.T) {
	t.Parallel()
	c := newUser(t).stdio(eras["modern"])
	c.call("connect_to_server", `{"url":"demo-flawed"}`).ok()
	for _, engine := range []struct{ tool, arguments, repeats, command string }{
		{"fuzz_tool", `{"cases":200}`, "call_tool", "mcptest tools call "},
		{"lint_schemas", `{}`, "lint_schemas", "mcptest schema-lint --rules "},
		{"check_server", `{}`, "", "mcptest "},
	} {
		c.call("restart", `{}`).ok() // a call that repeats a crash ends the server
		c.call(engine.tool, engine.arguments).ok()
		first := c.call("show_finding", `{"id":1}`).ok().contains("/for_user", engine.command)
		tool := first.at("/repeat/0/tool")
		if tool == "" || !strings.Contains(tool, engine.repeats) {
			t.Errorf("%s: the finding is repeated with %q, want %q: %s", engine.tool, tool, engine.repeats, first.raw)
			continue
		}
		again := c.call(tool, first.at("/repeat/0/arguments"))
		if again.at("/error/type") == "invalid_arguments" {
			t.Errorf("%s: the call is not valid: %s", engine.tool, again.raw)
		}
		if rule := first.at("/finding/rule"); tool != "call_tool" && !strings.Contains(string(again.raw), rule) {
			t.Errorf("%s: %s does not repeat %s: %s", engine.tool, tool, rule, again.raw)
		}
	}
	c.call("restart", `{}`).ok()
	if a := c.call("call_tool", fmt.Sprintf(`{"name":%q,"arguments":{}}`, "no such tool")); !a.bad ||
		!strings.Contains(a.at("/error/suggestion"), "list_tools") {
		t.Errorf("the suggestion does not name a tool: %s", a.raw)
	}
}
