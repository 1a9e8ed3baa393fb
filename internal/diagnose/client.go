// Package diagnose finds out why a configured server does not work in a client: it starts or reaches the server as the
// client would, step by step, until one fails.
package diagnose

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/target"
)

// A Client is how a client starts and uses servers. The limits are those of docs/why.md, with their sources.
type Client struct {
	ID       string        `json:"id"`
	Name     string        `json:"name"`
	Config   string        `json:"-"` // the host of its entries in package config; empty if its files are not read
	Profile  string        `json:"-"` // of package hosts; empty if there is none
	Startup  time.Duration `json:"startup_ns,omitempty"`
	Call     time.Duration `json:"call_ns,omitempty"`
	Desktop  bool          `json:"desktop,omitempty"`  // it is started without a shell, and has the PATH of the system
	Protocol string        `json:"protocol,omitempty"` // the revision that it requests; empty for the newest

	limitKey   string                        // the key of an entry that sets Startup
	passes     func(name, value string) bool // which variables of the shell reach servers; nil for a few
	needsTools bool                          // it lists tools only if the server declares the capability
	adjustable bool                          // MCP_TIMEOUT overrides Startup, in milliseconds
}

// Clients are all clients.
var Clients = []Client{
	{ID: "claude-code", Name: "Claude Code", Config: "claude-code", Profile: "claude-code", Startup: 30 * time.Second,
		Call: 100_000 * time.Second, needsTools: true, adjustable: true},
	{ID: "claude-desktop", Name: "Claude Desktop", Config: "claude-desktop", Startup: 30 * time.Second,
		Call: time.Minute, Desktop: true},
	{ID: "cursor", Name: "Cursor", Config: "cursor", Profile: "cursor", Startup: time.Minute, Call: time.Minute},
	{ID: "vscode", Name: "VS Code", Config: "vscode", Profile: "copilot"},
	{ID: "windsurf", Name: "Windsurf", Config: "windsurf", Startup: time.Minute, Call: time.Minute},
	{ID: "codex", Name: "Codex", Config: "codex", Profile: "codex", Startup: 30 * time.Second, Call: 5 * time.Minute,
		Protocol: spec.June2025, limitKey: "startup_timeout_sec"},
	{ID: "gemini-cli", Name: "Gemini CLI", Config: "gemini", Profile: "gemini-cli", Startup: 10 * time.Minute,
		Call: 10 * time.Minute, Protocol: spec.June2025, needsTools: true, limitKey: "timeout", passes: geminiPasses},
	{ID: "copilot-cli", Name: "GitHub Copilot CLI", Profile: "copilot-cli", Startup: time.Minute, Call: 3 * time.Minute},
	{ID: "opencode", Name: "opencode", Profile: "opencode", Startup: 30 * time.Second, Call: time.Minute,
		Protocol: spec.November2025, needsTools: true},
	{ID: "kilo", Name: "Kilo", Profile: "kilo", Startup: 30 * time.Second, Call: time.Minute, Protocol: spec.November2025,
		needsTools: true},
	{ID: "qwen-code", Name: "Qwen Code", Profile: "qwen-code", Startup: time.Minute, Protocol: spec.November2025},
	{ID: "continue", Name: "Continue", Profile: "continue", Startup: time.Minute, Call: time.Minute,
		Protocol: spec.November2025},
	{ID: "cline", Name: "Cline", Profile: "cline", Startup: 5 * time.Second, Call: time.Minute,
		Protocol: spec.November2024},
	{ID: "goose", Name: "goose", Startup: 5 * time.Minute, Call: 5 * time.Minute},
}

// anyClient is used for entries of files that several clients read.
var anyClient = Client{ID: "any", Name: "a client", Startup: time.Minute, Call: time.Minute}

// maxStartup is the limit for clients that have none.
const maxStartup = 2 * time.Minute

// ClientIDs lists the IDs of the clients.
func ClientIDs() []string {
	var ids []string
	for _, c := range Clients {
		ids = append(ids, c.ID)
	}
	return ids
}

// FindClient returns the client with an ID.
func FindClient(id string) (Client, bool) {
	i := slices.IndexFunc(Clients, func(c Client) bool { return c.ID == id })
	if i < 0 {
		return Client{}, false
	}
	return Clients[i], true
}

// clientOfHost returns the client that reads the entries of a host.
func clientOfHost(host string) Client {
	i := slices.IndexFunc(Clients, func(c Client) bool { return c.Config == host })
	if i < 0 {
		return anyClient
	}
	return Clients[i]
}

// limit returns how long the client waits for the list of tools of an entry.
func (c *Client) limit(sys target.System, entry config.Entry) time.Duration {
	if entry.Startup > 0 && c.limitKey != "" {
		return entry.Startup
	}
	if value, set := sys.Lookup("MCP_TIMEOUT"); c.adjustable && set {
		if ms, err := strconv.Atoi(value); err == nil && ms > 0 {
			return time.Duration(ms) * time.Millisecond
		}
	}
	if c.Startup == 0 {
		return maxStartup
	}
	return c.Startup
}

// desktopPaths are the PATH of programs that are started from the desktop.
var desktopPaths = map[string]string{
	"darwin": "/usr/bin:/bin:/usr/sbin:/sbin",
	"linux":  "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
}

// system returns the system as the client sees it: started from the desktop, it has no variables of a shell.
func (c *Client) system(sys target.System) target.System {
	path, known := desktopPaths[sys.GOOS]
	if !c.Desktop || !known {
		return sys
	}
	shell := sys.Environ
	sys.Environ = nil
	for _, pair := range shell {
		switch name, _, _ := strings.Cut(pair, "="); name {
		case "PATH":
			sys.Environ = append(sys.Environ, "PATH="+path)
		case "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TMPDIR", "XDG_RUNTIME_DIR", "DISPLAY":
			sys.Environ = append(sys.Environ, pair)
		}
	}
	return sys
}

// dir returns the working directory of servers that have none of their own.
func (c *Client) dir(sys target.System) string {
	switch {
	case !c.Desktop:
		return sys.Dir
	case sys.GOOS == "darwin":
		return string(filepath.Separator)
	}
	return sys.Home
}
