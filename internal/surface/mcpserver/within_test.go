package mcpserver_test

import "testing"

// TestAnswersInTime wants long operations to answer when their time is over, with what was not reached. A call of
// build_report takes longer than all the time that there is.
func TestAnswersInTime(t *testing.T) {
	c := newUser(t).stdio("2025-11-25")
	c.call("connect_to_server", `{"url":"demo-flawed"}`).ok()
	if a := c.call("fuzz_tool", `{"tool":["build_report"],"within_ms":1000}`); a.bad {
		// a busy machine may not even have connected by then
		a.fails("timeout").contains("/error/suggestion", "within_ms")
	} else {
		a.has("/failed", "false").contains("/notes", "stopped early: time limit reached after ").contains("/notes",
			"stopped after within_ms = 1000")
	}
	c.call("run_suite", `{"suite":"servers: {here: demo-flawed}\ntools:\n  - {name: a, tool: build_report}\n  - `+
		`{name: b, tool: build_report}\n","within_ms":100}`).ok().
		has("/failed", "false").has("/report/summary/skipped", "2").contains("/notes",
		"time limit reached before 2 tests were finished")
	c.call("load_server",
		`{"tool":"build_report","duration":"2m"}`).fails("invalid_arguments").contains("/error/suggestion", "within_ms")
	// its first call is a trial
	c.call("load_server",
		`{"tool":"build_report","duration":"100ms","within_ms":200}`).fails("timeout").contains("/error/suggestion",
		"within_ms")
}
