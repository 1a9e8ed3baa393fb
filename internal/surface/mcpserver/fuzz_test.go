package mcpserver_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSameFindings wants the same findings from the tool as from the command, word for word.
func TestSameFindings(t *testing.T) {
	u := newUser(t)
	command := u.command("fuzz", "demo-flawed", "--tool", "run", "--tool", "divide", "--cases", "120", "--stateful",
		"--json")
	var stdout bytes.Buffer
	command.Stdout = &stdout
	_ = command.Run() // it fails, since there are findings
	c := u.stdio("2025-11-25")
	c.call("connect_to_server", `{"url":"demo-flawed"}`).ok()
	got := c.call("fuzz_tool", `{"tool":["run","divide"],"cases":120,"stateful":true,"verbosity":"full"}`).ok().
		has("/failed", "true")
	if diff := cmp.Diff(resultsOf(t, []byte(got.at("/report"))), resultsOf(t, stdout.Bytes())); diff != "" {
		t.Errorf("the tool finds something else than the command (-tool +command):\n%s", diff)
	}
	// what crashed was not the connection in use
	c.call("get_connection_status", `{}`).ok().has("/connection/name", "main")
	c.call("list_tools", `{}`).ok()
}

// resultsOf is the results and figures of a report, without when it was made.
func resultsOf(t *testing.T, report []byte) any {
	t.Helper()
	var r struct{ Results, Metrics any }
	if err := json.Unmarshal(report, &r); err != nil {
		t.Fatalf("%v: %s", err, report)
	}
	return r
}
