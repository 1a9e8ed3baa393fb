package mcpserver_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Tools of the servers here: two that are safe, and two that are not.
const (
	safeTool  = `"inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,"openWorldHint":false}}`
	twoSafe   = `{"name":"get_a","description":"A.",` + safeTool + `,{"name":"get_b","description":"B.",` + safeTool
	twoUnsafe = `,{"name":"make_c","description":"C.","inputSchema":{"type":"object"}}` +
		`,{"name":"d, all","description":"D.","inputSchema":{"type":"object"}}`
)

// shopWith configures the server shop with these tools. A tool named in at is the only one that behaves as the mode
// says. The returned function counts the calls of a tool since the last time.
func (u *user) shopWith(mode, tools, at string) (config string, called func(tool string) int) {
	u.t.Helper()
	definitions, log := filepath.Join(u.home, "tools.json"), filepath.Join(u.home, "calls")
	if err := os.WriteFile(definitions, []byte(tools), 0o600); err != nil {
		u.t.Fatal(err)
	}
	entry := misbehaving(mode)
	entry["env"] = map[string]string{"TOOLS": definitions, "CALLS": log, "AT": at}
	config = u.configure(map[string]any{"shop": entry})
	u.approve(config, "shop")
	return config, func(tool string) int {
		text, _ := os.ReadFile(log)
		_ = os.Remove(log)
		n := 0
		for name := range strings.Lines(string(text)) {
			if name == tool+"\n" {
				n++
			}
		}
		return n
	}
}

// TestScaffoldSurvivesCrashes expects a tool that crashes or blocks the server to cost neither the tests of the others
// nor the connection of the assistant.
func TestScaffoldSurvivesCrashes(t *testing.T) {
	for _, mode := range []string{"dies", "hangs"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			config, _ := u.shopWith(mode, twoSafe, "get_a")
			c := u.stdio(eras["modern"], "--config", config, "--agent-may-spawn", "shop")
			c.call("connect_to_server", `{"url":"shop"}`).ok()
			c.call("scaffold_suite", `{"within_ms":20000}`).ok().contains("/report/skipped", "get_a: ").
				contains("/report/suite", `tool: "get_b"`)
			c.call("list_tools", `{}`).ok()
		})
	}
}

// TestScaffoldIsBounded expects the suite within the time limit, with the rest skipped.
func TestScaffoldIsBounded(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	config, _ := u.shopWith("hangs", twoSafe, "")
	c := u.stdio(eras["modern"], "--config", config, "--agent-may-spawn", "shop")
	c.call("connect_to_server", `{"url":"shop"}`).ok()
	c.call("scaffold_suite", `{"within_ms":300}`).ok().contains("/report/skipped", "get_b: ").
		contains("/notes", "stopped after within_ms").contains("/report/suite", "tool_quality")
}

// TestScaffoldAsksForTools expects tools that are not safe to be called only if they are named and the user agrees.
func TestScaffoldAsksForTools(t *testing.T) {
	for era, revision := range eras {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			config, called := u.shopWith("works", twoSafe+twoUnsafe, "")
			p := &person{answer: "no"}
			c := u.asked(revision, p.reply, "--config", config, "--agent-may-spawn", "shop")
			c.call("connect_to_server", `{"url":"shop"}`).ok()
			calls := func(tool string, want int) {
				t.Helper()
				if n := called(tool); n != want {
					t.Errorf("%s was called %d times, expected %d", tool, n, want)
				}
			}
			c.call("scaffold_suite", `{}`).ok().contains("/report/skipped", "make_c: no readOnlyHint")
			calls("make_c", 0)
			c.call("scaffold_suite", `{"tools":["get_a"]}`).ok()
			c.call("scaffold_suite", `{"tools":["unknown"]}`).fails("invalid_arguments")
			c.call("scaffold_suite", `{"tools":["d, all"]}`).fails("invalid_arguments") // not fit for a question
			p.questions(t, 0)
			c.call("scaffold_suite", `{"tools":["make_c"]}`).fails("connection_failed").
				has("/error/details/reason", "declined")
			question := p.questions(t, 1)
			for _, part := range []string{"server: shop", "tools: make_c", "calls of each tool: 2", "generated arguments"} {
				if !strings.Contains(question, part) {
					t.Errorf("the question does not have %q:\n%s", part, question)
				}
			}
			calls("make_c", 0)
			p.answer = "session"
			for _, questions := range []int{1, 0} {
				c.call("scaffold_suite", `{"tools":["make_c","get_a"]}`).ok().contains("/report/suite", `tool: "make_c"`)
				p.questions(t, questions)
				calls("make_c", 2)
			}
			quiet := u.stdio(revision, "--config", config, "--agent-may-spawn", "shop")
			quiet.call("connect_to_server", `{"url":"shop"}`).ok()
			quiet.call("scaffold_suite", `{"tools":["make_c"]}`).fails("invalid_arguments").
				contains("/error/suggestion", "mcptest init --tools")
			calls("make_c", 0)
		})
	}
}
