package gateway

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/typo"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// serverSettings are how the gateway uses one server. They are separate from its entry in mcpServers, which has the
// format of hosts.
type serverSettings struct {
	// the protocol revision to use with the server, such as 2025-11-25, or auto: the newest that it supports (default)
	Protocol string `json:"protocol"`
	// which clients share a process of the server, or a session with a server at a URL: shared (all), per-caller,
	// per-session, or auto: all, until the server sends a request to a client, then per-session (default)
	Isolation string   `json:"isolation"`
	Processes int      `json:"max_processes"` // maximum processes of callers or sessions at once (default 64)
	Idle      duration `json:"idle"`          // how long such a process may be idle before it is stopped (default 10m)
	// OAuth tokens for a server at a URL; without it requests have the headers in mcpServers
	OAuth *oauthSettings `json:"oauth"`
}

// anyServer is the name for the settings of all servers that have none of their own.
const anyServer = "*"

// settingsOf returns the settings of a server.
func (s gatewaySettings) settingsOf(server string) serverSettings {
	if own, ok := s.Servers[server]; ok {
		return own
	}
	return s.Servers[anyServer]
}

// checkServers rejects settings of unknown servers, and invalid settings. The known servers include disabled ones.
func (s gatewaySettings) checkServers(file string, known []string) error {
	for _, name := range slices.Sorted(maps.Keys(s.Servers)) {
		if name != anyServer && !slices.Contains(known, name) {
			return unknownServer(file, name, known)
		}
		if err := s.Servers[name].check(s.JWT != nil); err != nil {
			return &workbench.UsageError{Message: fmt.Sprintf("%s: gateway: servers: %s: %s", file, name, err.Message),
				Hint: err.Hint}
		}
	}
	return nil
}

func unknownServer(file, name string, known []string) error {
	advice := "use a name from mcpServers, or * for all servers that are not listed"
	if near := typo.Best(name, known); near != "" {
		advice = "did you mean " + near + "?"
	}
	return &workbench.UsageError{Message: fmt.Sprintf("%s: gateway: servers: unknown server %q", file, name),
		Hint: hint.Text(advice)}
}

// revision is the revision to use; "" if it is negotiated.
func (s serverSettings) revision() string {
	if s.Protocol == mcp.Auto {
		return ""
	}
	return s.Protocol
}

// check returns what is wrong with the settings; nil if nothing is.
func (s serverSettings) check(jwt bool) *workbench.UsageError {
	switch upstream.Isolation(s.Isolation) {
	case "", upstream.Auto, upstream.Shared, upstream.PerCaller, upstream.PerSession:
	default:
		return &workbench.UsageError{Message: fmt.Sprintf("invalid value %q for isolation", s.Isolation),
			Hint: "use auto, shared, per-caller or per-session"}
	}
	if s.Processes < 0 || s.Idle.Duration < 0 {
		return &workbench.UsageError{Message: "max_processes and idle must not be negative",
			Hint: "remove them to use the defaults"}
	}
	if s.Protocol != "" && s.Protocol != mcp.Auto && !slices.Contains(spec.IDs(), s.Protocol) {
		return &workbench.UsageError{Message: fmt.Sprintf("invalid value %q for protocol", s.Protocol),
			Hint: hint.Text("use auto, or one of " + strings.Join(spec.IDs(), ", "))}
	}
	if s.OAuth != nil {
		return s.OAuth.check(s.Isolation, jwt)
	}
	return nil
}
