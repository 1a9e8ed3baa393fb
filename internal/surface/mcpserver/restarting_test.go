package mcpserver_test

import (
	"os"
	"path/filepath"
	"testing"
)

// TestRestart changes the tools of a server between two starts: the second one is asked for in one call, which says what
// changed. A server that crashed is compared with its last list.
func TestRestart(t *testing.T) {
	const (
		one = `{"name":"go","description":"Goes.","inputSchema":{"type":"object"}}`
		two = one + `,{"name":"more","description":"More.","inputSchema":{"type":"object"}}`
	)
	for era, revision := range eras {
		t.Run(era, func(t *testing.T) {
			u := newUser(t)
			code := filepath.Join(u.home, "tools")
			write := func(tools string) {
				t.Helper()
				if err := os.WriteFile(code, []byte(tools), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			write(one)
			servers := map[string]any{}
			for _, mode := range []string{"works", "dies"} {
				server := misbehaving(mode)
				server["env"] = map[string]string{"TOOLS": code}
				servers[mode] = server
			}
			file := u.configure(servers)
			u.approve(file, "works", "dies")
			c := u.stdio(revision, "--config", file, "--agent-may-spawn", "works", "--agent-may-spawn", "dies")
			c.call("restart", `{}`).fails("not_connected")
			c.call("connect_to_server", `{"url":"works"}`).ok()
			c.call("call_tool", `{"name":"go","arguments":{}}`).ok()
			c.call("connect_to_server", `{"url":"demo","connection":"other"}`).ok()
			write(two)
			c.call("restart", `{"connection":"main"}`).ok().contains("/changes", "more")
			c.call("get_connection_status", `{}`).ok().has("/connection/name", "other")
			c.call("get_connection_status", `{"connection":"main"}`).ok().has("/statistics/tools_called", "1")
			c.call("restart", `{"connection":"main"}`).ok().has("/changes", "[]")
			c.call("connect_to_server", `{"url":"dies","connection":"crashing"}`).ok()
			c.call("list_tools", `{}`).ok()
			c.call("call_tool", `{"name":"go","arguments":{}}`).fails("transport_error")
			write(one)
			c.call("restart", `{}`).ok().contains("/changes", "more").has("/connection/name", "crashing")
			c.call("disconnect", `{}`).ok()
			c.call("restart", `{"connection":"crashing"}`).fails("not_connected")
		})
	}
}
