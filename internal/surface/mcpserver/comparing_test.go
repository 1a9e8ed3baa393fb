package mcpserver_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func arguments(t *testing.T, members map[string]string) string {
	t.Helper()
	raw, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// TestDiffServer compares two open connections, and a connection with what was recorded before.
func TestDiffServer(t *testing.T) {
	c := newUser(t).stdio("2025-11-25")
	c.call("connect_to_server", `{"url":"demo"}`).ok()
	c.call("connect_to_server", `{"url":"demo-flawed","connection":"new"}`).ok()
	a := c.call("diff_server", `{"old":"main","new":"new"}`).ok().has("/failed", "true").
		has("/report/verdict", "breaking").has("/report/semver/suggested", "major")
	if found := a.at("/report/items"); !strings.Contains(found, `"counterexample"`) {
		t.Errorf("no counterexample in %.300s", found)
	}
	c.call("lock_server", `{"connection":"main"}`).ok().has("/report/server", "demo").has("/failed", "false")
	c.call("diff_server", `{"old":"mcptest://reports/1","new":"main"}`).ok().has("/failed", "false").
		has("/report/items", "[]").has("/report/semver/suggested", "none")
	c.call("diff_server", `{"old":"mcptest://reports/9"}`).fails("invalid_arguments")
	c.call("diff_server", `{"old":"{\"tools\":[]}","new":"main"}`).ok().has("/report/verdict", "compatible")
	c.call("diff_server", `{"old":"{\"lockfile\":7}"}`).fails("invalid_arguments").
		contains("/error/message", "format version 7")
}

// TestLockServerApprovesNothing writes a proposed lock file where the user's own file would be: the check of the user
// fails until the user approves.
func TestLockServerApprovesNothing(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	c := u.stdio("2025-11-25")
	c.call("connect_to_server", `{"url":"demo"}`).ok()
	proposed := c.call("lock_server", `{}`).ok().at("/report/lock")
	if strings.Contains(proposed, `"approved"`) {
		t.Errorf("the proposal has an approval: %.300s", proposed)
	}
	file := filepath.Join(u.home, "mcptest.lock")
	if err := os.WriteFile(file, []byte(proposed), 0o600); err != nil {
		t.Fatal(err)
	}
	check := []string{"check", "demo", "--locked", "--budget", "20s", "--fail-on", "LOCK"}
	if out, err := u.command(check...).CombinedOutput(); err == nil || !strings.Contains(string(out), "LOCK-001") {
		t.Errorf("check accepts the proposal: %v\n%s", err, out)
	}
	if out, err := u.command("approve", "demo").CombinedOutput(); err != nil {
		t.Fatalf("approve: %v\n%s", err, out)
	}
	if out, err := u.command(check...).CombinedOutput(); err != nil {
		t.Errorf("check after the approval: %v\n%s", err, out)
	}
	approved, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	kept := c.call("lock_server", arguments(t, map[string]string{"lock": string(approved)})).ok().at("/report/lock")
	if strings.Count(kept, `"approved"`) != strings.Count(string(approved), `"approved"`) {
		t.Error("definitions that did not change lost their approval")
	}
}
