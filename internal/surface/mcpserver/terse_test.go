package mcpserver_test

import "testing"

// TestTerse wants an assistant to read what was found alone, unless it asks for the rest.
func TestTerse(t *testing.T) {
	c := newUser(t).stdio("2025-11-25")
	c.call("connect_to_server", `{"url":"demo"}`).ok()
	c.call("lint_schemas", `{}`).ok().has("/report/findings", "[]").has("/report/summary/passed", "18")
	c.call("lint_schemas", `{"verbosity":"full"}`).ok().contains("/report/results", `"status":"passed"`)
}
