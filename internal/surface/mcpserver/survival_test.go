package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/target"
)

// TestSurvives has servers die, hang and flood in the middle of a call. The call fails by its type, and the server for
// assistants goes on as if nothing had happened.
func TestSurvives(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	modes := []string{"dies", "hangs", "floods", "works"}
	servers := map[string]any{}
	args := []string{"--config", ""}
	for _, mode := range modes {
		servers[mode] = misbehaving(mode)
		args = append(args, "--agent-may-spawn", mode)
	}
	args[1] = u.configure(servers)
	u.approve(args[1], modes...)
	patience := map[string]int{"dies": 30_000, "hangs": 200, "floods": 30_000, "works": 30_000}
	for era, revision := range eras {
		t.Run(era, func(t *testing.T) {
			c := u.in(t).stdio(revision, args...)
			connect := func(mode string) {
				t.Helper()
				c.call("connect_to_server", fmt.Sprintf(`{"url":%q,"connection":%q,"protocol":"2025-11-25"}`, mode,
					mode)).ok()
			}
			for _, mode := range modes {
				connect(mode)
			}
			call := func(mode string) answer {
				t.Helper()
				return c.call("call_tool", fmt.Sprintf(`{"name":"go","arguments":{},"connection":%q,"timeout_ms":%d}`,
					mode, patience[mode]))
			}
			died := call("dies").fails("transport_error")
			died.has("/error/details/exit_code", "3").contains("/error/details/stderr",
				"last words").contains("/error/suggestion", "call connect_to_server to restart it")
			call("dies").fails("transport_error") // and again: the connection is gone, and says so
			c.call("get_transcript", `{"since":0,"connection":"dies"}`).ok().contains("/stderr", "last words")
			call("hangs").fails("timeout")
			call("floods").ok()
			call("works").ok()
			c.call("use_connection", `{"connection":"dies"}`).ok()
			c.call("get_connection_status", `{}`).has("/connected", "false").contains("/lost", "status 3")
			connect("dies") // a connection whose server is gone gives up its name
			for range modes {
				c.call("disconnect", `{}`)
				links := c.call("get_connection_status", `{}`)
				if name := links.at("/connections/0/name"); name != "" {
					c.call("use_connection", fmt.Sprintf(`{"connection":%q}`, name))
				}
			}
			c.call("get_connection_status", `{}`).fits("get_connection_status (not connected)")
		})
	}
}

// TestNothingIsLeft opens and closes 200 connections, each with a process of its own, and some in the middle of a call,
// and wants as many goroutines, open files and children afterwards as before.
func TestNothingIsLeft(t *testing.T) {
	ask := insideWith(t, "works", "stalls")
	once := func(i int) {
		url := []string{"works", "demo", "works", "stalls", "works", "works"}[i%6]
		ask("connect_to_server", fmt.Sprintf(`{"url":%q,"protocol":"2025-11-25"}`, url), true)
		switch url {
		case "demo":
			ask("call_tool", `{"name":"ask_user","arguments":{"question":"never answered"}}`, true)
		case "stalls":
			ask("call_tool", `{"name":"go","arguments":{},"timeout_ms":1}`, false)
		}
		ask("disconnect", `{}`, true)
	}
	for i := range 6 {
		once(i)
	}
	before := count(t)
	for i := range 200 {
		once(i)
	}
	var after usage
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if after = count(t); after.goroutines <= before.goroutines && after.files <= before.files &&
			after.children <= before.children {
			return
		}
	}
	stacks := make([]byte, 1<<20)
	t.Errorf("after 200 connections %+v; before %+v\n%s", after, before, stacks[:runtime.Stack(stacks, true)])
}

// A usage is what a process holds.
type usage struct{ goroutines, files, children int }

func count(t *testing.T) usage {
	t.Helper()
	u := usage{goroutines: runtime.NumGoroutine()}
	if files, err := os.ReadDir("/proc/self/fd"); err == nil {
		u.files = len(files)
	}
	if tasks, err := os.ReadDir("/proc/self/task"); err == nil {
		for _, task := range tasks {
			children, _ := os.ReadFile("/proc/self/task/" + task.Name() + "/children")
			u.children += len(strings.Fields(string(children)))
		}
	}
	return u
}

// insideWith opens a session to a server in this process that may start misbehaving servers, and returns a function
// that calls its tools.
func insideWith(t *testing.T, modes ...string) func(tool, arguments string, ok bool) {
	t.Helper()
	u := newUser(t)
	servers := map[string]any{}
	for _, mode := range modes {
		servers[mode] = misbehaving(mode)
	}
	file := u.configure(servers)
	sys := machine(t)
	approvals, err := target.NewApprovals(sys, u.home)
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range modes {
		found, err := target.Resolve(sys, target.Spec{Args: []string{mode}, Config: file}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := approvals.Approve(found); err != nil {
			t.Fatal(err)
		}
	}
	s := insideOn(t, sys, connections.Policy{Names: modes, Config: file, Approvals: approvals})
	return func(tool, arguments string, ok bool) {
		t.Helper()
		ex, err := s.Call(t.Context(), "tools/call", mcp.Object("name", tool, "arguments", json.RawMessage(arguments)))
		if err != nil || ex.Reply.Error != nil {
			t.Fatalf("%s: %v %v", tool, err, ex)
		}
		if success, _ := schema.Get(ex.Reply.Result, "/structuredContent/success"); (string(success) == "true") != ok {
			t.Fatalf("%s %s: %s", tool, arguments, ex.Reply.Result)
		}
	}
}
