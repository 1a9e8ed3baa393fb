package hosts

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/hostrun"
	"github.com/mcptest-dev/mcptest/testservers/matrix"
	"github.com/mcptest-dev/mcptest/testservers/npm"
)

// A tapped host reads its servers from the file that mcptest tap install changes.
type tapped struct {
	client, file string                                           // of mcptest tap install, and its config file in the home directory
	name         string                                           // as the host introduces itself
	plan         func(p hostrun.Plan, config string) hostrun.Plan // reads the servers from the file
}

var tappedHosts = map[string]tapped{
	"claude": {"claude-code", ".claude.json", "claude-code", func(p hostrun.Plan, config string) hostrun.Plan {
		p.Files = map[string]string{".claude.json": config}
		p.Args = slices.DeleteFunc(p.Args, func(arg string) bool {
			return arg == "--mcp-config" || arg == "--strict-mcp-config" || strings.HasSuffix(arg, "servers.json")
		})
		p.Env = slices.DeleteFunc(p.Env, func(pair string) bool { return strings.HasPrefix(pair, "CLAUDE_CONFIG_DIR=") })
		// without these it does not wait for a server that starts slowly
		p.Env = append(p.Env, "MCP_CONNECTION_NONBLOCKING=0", "MCP_CONNECT_TIMEOUT_MS=60000",
			"CLAUDE_CODE_MCP_PREWAIT_SERVERS_MS=60000")
		return p
	}},
	"codex": {"codex", ".codex/config.toml", "codex-mcp-client", func(p hostrun.Plan, _ string) hostrun.Plan {
		return p
	}},
	"gemini": {"gemini", ".gemini/settings.json", "gemini-cli-mcp-client", func(p hostrun.Plan,
		_ string) hostrun.Plan {
		return p
	}},
}

// TestInstalledTap runs real hosts whose config mcptest tap install has changed: the recording shows the session, and
// mcptest tap remove restores the config.
func TestInstalledTap(t *testing.T) {
	folder := real(t)
	everything := npm.Require(t)
	fastmcp, err := matrix.Environment(filepath.Join("..", ".."), "fastmcp")
	if err != nil && os.Getenv("MCPTEST_REQUIRE_MATRIX") == "" {
		t.Skip("skipped:", err)
	} else if err != nil {
		t.Fatal(err)
	}
	server, err := filepath.Abs("../matrix/python/fastmcp_server.py")
	if err != nil {
		t.Fatal(err)
	}
	servers := map[string]struct {
		command []string
		call    hostrun.Call
		want    string
	}{
		"everything": {[]string{everything.Node, everything.Script("server-everything"), "stdio"},
			call("echo", `{"message":"through tap"}`), "through tap"},
		"fastmcp": {[]string{filepath.Join(fastmcp, "bin", "python"), server}, call("echo", `{"text":"through tap"}`), "through tap"},
	}
	for host, tap := range tappedHosts {
		for name, s := range servers {
			t.Run(host+" "+name, func(t *testing.T) {
				o := options(t, folder, host, name, nil, s.call)
				plan := o.Host.Plan
				o.Host.Plan = func(setup hostrun.Setup) hostrun.Plan {
					setup.Command = s.command
					config, _ := json.MarshalIndent(map[string]any{"mcpServers": map[string]any{
						name: map[string]any{"command": s.command[0], "args": s.command[1:]}}}, "", "  ")
					return tap.plan(plan(setup), string(config)+"\n")
				}
				o.Prepared = func(home string) (func(), error) { return installed(t, home, name, s.call.Tool, tap), nil }
				run := started(t, o)
				if !strings.Contains(run.Results[0].Text, s.want) {
					t.Errorf("the model gets %q, want %q", run.Results[0].Text, s.want)
				}
			})
		}
	}
}

// installed installs tap in the config of a host. The function that it returns checks the recording and removes tap.
func installed(t *testing.T, home, name, tool string, tap tapped) func() {
	t.Helper()
	file := filepath.Join(home, filepath.FromSlash(tap.file))
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	mcptest := func(args ...string) string {
		cmd := exec.Command(built.mcptest, args...)
		cmd.Dir = home
		cmd.Env = append(os.Environ(), "HOME="+home, "XDG_STATE_HOME=", "XDG_CONFIG_HOME=")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("mcptest %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	mcptest("tap", "install", tap.client, name, "--yes")
	changed, _ := os.ReadFile(file)
	if bytes.Equal(before, changed) {
		t.Errorf("%s is unchanged", file)
	}
	return func() {
		list := mcptest("tap", "list")
		if !strings.Contains(list, name) || !strings.Contains(list, tap.name) {
			t.Errorf("recordings %q, want %s and %s", list, name, tap.name)
		}
		view := mcptest("tap", "view", name)
		if !strings.Contains(view, "initialize") && !strings.Contains(view, "server/discover") {
			t.Errorf("the recording has no handshake:\n%s", view)
		}
		for _, want := range []string{"tools/list", "tools/call", tool} {
			if !strings.Contains(view, want) {
				t.Errorf("the recording has no %s:\n%s", want, view)
			}
		}
		own, _ := os.ReadFile(file)
		mcptest("tap", "remove", tap.client, name, "--yes")
		restored, _ := os.ReadFile(file)
		if bytes.Equal(own, changed) { // otherwise the host has written its own settings to the file
			if !bytes.Equal(restored, before) {
				t.Errorf("tap remove does not restore the config:\n%s\nwant\n%s", restored, before)
			}
			return
		}
		t.Logf("the host has changed %s itself", tap.file)
		if entry := entryOf(before, name); entry == "" || !strings.Contains(string(restored), entry) {
			t.Errorf("the entry after tap remove:\n%s\nwant\n%s", restored, entry)
		}
		if got, want := withoutServers(t, restored), withoutServers(t, own); !reflect.DeepEqual(got, want) {
			t.Errorf("tap remove has changed other settings: %v, want %v", got, want)
		}
	}
}

// entryOf returns the entry of a server in a config file that is indented by two spaces.
func entryOf(text []byte, name string) string {
	_, rest, _ := strings.Cut(string(text), "    \""+name+"\": {\n")
	entry, _, found := strings.Cut(rest, "\n    }")
	if !found {
		return ""
	}
	return entry
}

// withoutServers returns the settings of a config file besides the servers.
func withoutServers(t *testing.T, text []byte) map[string]any {
	t.Helper()
	var config map[string]any
	if err := json.Unmarshal(text, &config); err != nil {
		t.Errorf("%v: %s", err, text)
	}
	delete(config, "mcpServers")
	return config
}
