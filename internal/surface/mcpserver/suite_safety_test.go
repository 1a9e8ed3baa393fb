package mcpserver_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// suiteOf is the arguments of run_suite.
func suiteOf(t *testing.T, suite string) string {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"suite": suite})
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestSuitesStartNothing wants the engines in an assistant's suite to judge the server of the open connection, and
// never to start what the suite names.
func TestSuitesStartNothing(t *testing.T) {
	u := newUser(t)
	trace := filepath.Join(u.home, "started")
	c := u.stdio("2025-11-25")
	c.call("connect_to_server", `{"url":"demo"}`).ok()
	servers := "servers:\n  x: {command: [touch, " + trace + "]}\n"
	c.call("run_suite", suiteOf(t, servers+`
conform: [{name: a, with: {rules: [TOOL-001]}}]
fuzz: [{name: b, with: {tool: [echo], cases: 5}}]
tool_quality: [{name: c}]
`)).ok().has("/failed", "false").has("/report/summary/passed", "3")
	if _, err := os.Stat(trace); err == nil {
		t.Error("the program that the suite names was started")
	}
}

// TestSuitesSeeNoEnvironment wants no variable of the user's to reach a server by way of a suite.
func TestSuitesSeeNoEnvironment(t *testing.T) {
	c := newUser(t).withEnv("TOKEN=hush").stdio("2025-11-25")
	c.call("connect_to_server", `{"url":"demo"}`).ok()
	suite := "tools:\n  - {tool: echo, args: {message: \"${TOKEN}\"}}\n"
	c.call("run_suite", suiteOf(t, suite)).fails("invalid_arguments").contains("/error/message",
		"suite:2:34: ${TOKEN} is undefined")
	c.call("validate_suite", suiteOf(t, "servers: {local: demo}\n"+suite)).ok() // it may be run where there is one
	folder := "tools:\n  - {tool: echo, args: {message: \"${CONFIG_DIR}\"}}\n"  // which a text has none of
	c.call("run_suite", suiteOf(t, folder)).fails("invalid_arguments").contains("/error/message",
		"${CONFIG_DIR} is undefined")
	c.call("validate_suite", suiteOf(t, "servers: {local: demo}\n"+folder)).ok()
}

// TestScaffoldRuns wants the first suite of a good server to pass as it is.
func TestScaffoldRuns(t *testing.T) {
	t.Parallel()
	c := newUser(t).stdio("2025-11-25")
	c.call("connect_to_server", `{"url":"demo"}`).ok()
	suite := c.call("scaffold_suite", `{}`).ok().contains("/report/suite", "local: \"demo\"").at("/report/suite")
	c.call("run_suite", suiteOf(t, suite)).ok().has("/failed", "false")
	stored := "tools:\n  - {tool: echo, args: {message: hi}, expect: {snapshot: true}}\n"
	c.call("run_suite", suiteOf(t, stored)).ok().has("/failed", "false").contains("/notes",
		"snapshots were not compared")
}
