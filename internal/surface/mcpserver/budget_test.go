package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/testservers/npm"
)

// Budgets in characters: everything a tool defines or returns is read by a model.
const (
	definitionsBudget = 24_000 // tools/list, in all
	sessionBudget     = 30_000 // the reference session with server-everything
	cleanBudget       = 4_000  // check_server on a server without findings
	flawedBudget      = 9_000  // check_server on demo-flawed
	verdictBudget     = 400    // the part of check_server that has the verdict
)

// TestDefinitionsBudget limits the definitions of all tools.
func TestDefinitionsBudget(t *testing.T) {
	list, err := inside(t, connections.Policy{}).List(t.Context(), "tools/list")
	if err != nil || list.Refused != nil {
		t.Fatal(err, list.Refused)
	}
	var all []json.RawMessage
	for _, item := range list.Items {
		t.Logf("%6d %s", utf8.RuneCount(item.Raw), item.Name)
		all = append(all, item.Raw)
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	if n := utf8.RuneCount(text); n > definitionsBudget {
		t.Errorf("tools/list has %d characters, want at most %d", n, definitionsBudget)
	} else {
		t.Logf("tools/list has %d characters", n)
	}
}

// TestSessionBudget limits the results of a typical session.
func TestSessionBudget(t *testing.T) {
	t.Parallel()
	in := npm.Require(t)
	u := newUser(t)
	file := u.configure(map[string]any{"everything": map[string]any{"command": in.Node,
		"args": []string{in.Script("server-everything"), "stdio"}}})
	u.approve(file, "everything")
	c := u.stdio(eras["modern"], "--config", file, "--agent-may-spawn", "everything")
	total := 0
	for _, step := range [][2]string{
		{"connect_to_server", `{"url":"everything"}`}, {"list_tools", `{}`},
		{"call_tool", `{"name":"echo","arguments":{"message":"hello"}}`},
		{"call_tool", `{"name":"get-sum","arguments":{"a":1,"b":2}}`},
		{"call_tool", `{"name":"get-structured-content","arguments":{"location":"New York"}}`},
		{"call_tool", `{"name":"get-annotated-message","arguments":{"messageType":"error","includeImage":false}}`},
		{"call_tool", `{"name":"get-tiny-image","arguments":{}}`},
		{"check_server", `{}`}, {"disconnect", `{}`},
	} {
		n := utf8.RuneCount(c.call(step[0], step[1]).ok().raw)
		t.Logf("%6d %s %s", n, step[0], step[1])
		total += n
	}
	if total > sessionBudget {
		t.Errorf("the session has %d characters, want at most %d", total, sessionBudget)
	} else {
		t.Logf("the session has %d characters", total)
	}
}

// TestCheckBudget limits the report of check_server, and wants its verdict first.
func TestCheckBudget(t *testing.T) {
	t.Parallel()
	for name, budget := range map[string]int{"demo": cleanBudget, "demo-flawed": flawedBudget} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newUser(t).stdio(eras["modern"])
			c.call("connect_to_server", fmt.Sprintf(`{"url":%q}`, name)).ok()
			a := c.call("check_server", `{}`).ok()
			text := []rune(string(a.raw))
			t.Logf("%d characters: %.1500s", len(text), a.raw)
			if len(text) > budget {
				t.Errorf("check_server has %d characters, want at most %d", len(text), budget)
			}
			if first := string(text[:min(len(text), verdictBudget)]); !strings.Contains(first, `"verdict":`) {
				t.Errorf("the first %d characters have no verdict: %s", verdictBudget, first)
			}
		})
	}
}
