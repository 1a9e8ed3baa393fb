package mcpserver_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/safety"
)

// TestLyingToolsAreNotCalled has every engine loose on a server whose tools lie about readOnlyHint, on the command line
// and for an assistant: those that lie are not called, and the one that costs money is called a few times.
func TestLyingToolsAreNotCalled(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	log := filepath.Join(u.home, "calls")
	lies := misbehaving("lies")
	lies["env"] = map[string]string{"CALLS": log}
	file := u.configure(map[string]any{"shop": lies})
	u.approve(file, "shop")
	calls := func(doing string, paid int) {
		t.Helper()
		text, err := os.ReadFile(log)
		if err != nil || !strings.Contains(string(text), "get_order") {
			t.Errorf("%s calls nothing: %v", doing, err)
		}
		for _, name := range []string{"delete_order", "orders"} {
			if n := strings.Count("\n"+string(text), "\n"+name+"\n"); n > 0 {
				t.Errorf("%s calls %s %d times; want never", doing, name, n)
			}
		}
		if n := strings.Count(string(text), "web_search"); n > paid {
			t.Errorf("%s calls web_search %d times; want at most %d", doing, n, paid)
		}
		_ = os.Remove(log)
	}
	for _, command := range [][]string{{"check", "shop", "--budget", "20s", "--verbose"},
		{"fuzz", "shop", "--cases", "100"}, {"conform", "shop", "--rules", "TOOL"},
		{"load", "shop", "--duration", "200ms"}, {"init", "shop", "--out", "-"}} {
		out, _ := u.command(append(command, "--config", file)...).CombinedOutput()
		calls(command[0], safety.OpenWorldCalls)
		if command[0] == "check" && (!strings.Contains(string(out), "SEC-015") ||
			!strings.Contains(string(out), "delete_order (readOnlyHint, but")) {
			t.Errorf("check does not report the false hint, or what it did not call:\n%s", out)
		}
	}
	c := u.stdio(eras["legacy"], "--config", file, "--agent-may-spawn", "shop")
	c.call("connect_to_server", `{"url":"shop"}`).ok()
	for tool, arguments := range map[string]string{
		"check_server": `{"within_ms":20000}`, "fuzz_tool": `{"cases":50,"tool":["delete_order","orders",` +
			`"web_search","get_order"]}`,
		"check_conformance": `{"rules":["TOOL"]}`, "scaffold_suite": `{}`,
		"run_suite": suiteOf(t, "fuzz: [{name: f, with: {cases: 30, tool: [delete_order, orders, "+
			"get_order]}}]\nperformance: [{name: p, with: {duration: 100ms}}]\n"),
	} {
		c.call(tool, arguments).ok()
		calls(tool, safety.OpenWorldCalls)
	}
	for _, tool := range []string{"delete_order", "web_search"} {
		c.call("load_server", `{"tool":"`+tool+
			`","duration":"100ms"}`).fails("invalid_arguments").contains("/error/message", "not safe to call in bulk")
	}
	many := "tools:\n" + strings.Repeat("  - {tool: delete_order, args: {}}\n", safety.OpenWorldCalls+1)
	c.call("run_suite", suiteOf(t, many)).fails("invalid_arguments").contains("/error/message",
		"not safe to call in bulk")
	c.call("run_suite", suiteOf(t, "run_options: {retries: 9}\ntools:\n  - {tool: delete_order, args: {}, expect: "+
		"{equals: nothing}}\n")).fails("invalid_arguments")
	if text, err := os.ReadFile(log); err == nil {
		t.Errorf("called: %s", text)
	}
}

// TestAssistantsGrantNothing expects what only the user may allow to be no input of a tool and no key of a suite.
func TestAssistantsGrantNothing(t *testing.T) {
	c := newUser(t).stdio(eras["legacy"])
	c.call("connect_to_server", `{"url":"demo"}`).ok()
	for _, tool := range []string{"check_server", "check_conformance", "fuzz_tool", "load_server", "run_suite"} {
		for _, grant := range []string{`"allow_disruptive":true`, `"allow_destructive":true`, `"allow_calls":true`,
			`"allow":["x"]`,
			`"tools":["x"]`, `"allow_unannotated":true`} {
			c.call(tool, "{"+grant+"}").fails("invalid_arguments")
		}
	}
	for _, block := range []string{"performance", "conform", "fuzz"} {
		c.call("run_suite", suiteOf(t, block+
			": [{name: a, with: {allow_disruptive: true}}]\n")).fails("invalid_arguments").
			contains("/error/message", "--allow-disruptive")
	}
	tools, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.Tools {
		if strings.HasPrefix(tool.Name, "check_") || tool.Name == "scaffold_suite" {
			if tool.Annotations == nil || tool.Annotations.ReadOnlyHint {
				t.Errorf("%s calls tools, and is annotated read-only", tool.Name)
			}
		}
	}
}
