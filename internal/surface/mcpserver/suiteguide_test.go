package mcpserver_test

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestSuiteGuide runs the examples of the page that explains suites, and limits its length.
func TestSuiteGuide(t *testing.T) {
	c := newUser(t).stdio(eras["modern"])
	c.call("connect_to_server", `{"url":"demo"}`).ok()
	page := c.call("suite_guide", `{}`).ok().at("/guide")
	if n := utf8.RuneCountInString(page); n > 4_000 {
		t.Errorf("the page has %d characters, want at most 4000", n)
	}
	blocks := strings.Split(page, "```")
	if len(blocks) != 7 {
		t.Fatalf("the page has %d blocks, want 3", len(blocks)/2)
	}
	for i, tests := range []string{"2", "2", "2"} {
		suite := strings.TrimPrefix(blocks[2*i+1], "yaml\n")
		c.call("run_suite", arguments(t, map[string]string{"suite": suite})).ok().has("/failed", "false").
			has("/report/metrics/passed", tests)
	}
}

// TestSuiteErrorsAreCorrected expects the lines of a suite with clear mistakes as they were meant.
func TestSuiteErrorsAreCorrected(t *testing.T) {
	c := newUser(t).stdio(eras["modern"])
	c.call("connect_to_server", `{"url":"demo"}`).ok()
	wrong := "servers: {local: demo}\ntools:\n  - {tol: echo, agrs: {message: hi}, expect: {equal: hi}}\n"
	const right = "  - {tool: echo, args: {message: hi}, expect: {equals: hi}}"
	for _, tool := range []string{"validate_suite", "run_suite", "save_suite"} {
		c.call(tool, suiteOf(t, wrong)).fails("invalid_arguments").
			has("/error/details/corrected_lines/0", "3: "+right).contains("/error/suggestion", "suite_guide")
	}
	c.call("run_suite", suiteOf(t, "tools:\n"+right+"\n")).ok().has("/failed", "false")
}
