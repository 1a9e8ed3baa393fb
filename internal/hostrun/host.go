// Package hostrun starts real hosts offline: in a temporary home directory, with a scripted model and with the server
// under test. It reports what reaches the model.
//
// A host is one file: a Host with its npm package, the API that it uses for its model, and its config files. Neither
// credentials nor secrets of the user reach it. The server is started by mcptest itself, with its own environment; the
// host starts a helper that passes bytes on to it.
package hostrun

import (
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

// A Host is how to start one host.
type Host struct {
	ID      string // of its profile
	Aliases []string
	Package string // on npm
	Program string // the name of its executable
	API     *API   // of its model
	// Plan returns how to start the host with a server.
	Plan func(Setup) Plan
	// SearchTool is the tool with which the model searches for tools; empty if the host passes all of them. Its arguments
	// are the query and, by this name, the number of results.
	SearchTool, SearchLimit string
	// Owns reports whether a tool that the model gets may belong to the server.
	Owns func(server string, tool hosts.Tool) bool
}

// A Setup is what the config of a host depends on.
type Setup struct {
	Home    string   // the temporary home directory
	Model   string   // the base URL of the scripted model
	Server  string   // the name of the server
	Command []string // starts the server
	Prompt  string
	Search  bool // the model has to search for tools
}

// A Plan is how to start a host.
type Plan struct {
	Files map[string]string // config files by path in the home directory
	Args  []string
	Env   []string // "K=V", in addition to the environment that every host gets
}

// All lists the hosts that can be started.
func All() []Host {
	return []Host{claudeCode, cline, codex, continueCLI, copilotCLI, geminiCLI, kilo, opencode, qwenCode}
}

// Find returns a host by its ID or another name.
func Find(name string) (Host, bool) {
	all := All()
	i := slices.IndexFunc(all, func(h Host) bool {
		return strings.EqualFold(h.ID, name) || slices.Contains(h.Aliases, strings.ToLower(name))
	})
	if i < 0 {
		return Host{}, false
	}
	return all[i], true
}

// IDs lists the IDs of the hosts.
func IDs() []string {
	var ids []string
	for _, h := range All() {
		ids = append(ids, h.ID)
	}
	return ids
}

// prefixed returns a function that recognizes the tools of a server by the beginning of their names.
func prefixed(before, after string) func(string, hosts.Tool) bool {
	return func(server string, tool hosts.Tool) bool {
		return strings.HasPrefix(tool.Name, before+safeName(server)+after)
	}
}

// safeName returns a server name as hosts write it in tool names.
func safeName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
}
