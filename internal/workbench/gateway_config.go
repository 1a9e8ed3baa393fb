package workbench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/target"
)

// gatewaySettings are the member "gateway" of the config file.
type gatewaySettings struct {
	access.Config
	Hosts      []string `json:"hosts"`          // what clients may put into Host, besides this machine's own names
	HTTPHosts  []string `json:"http_hosts"`     // the hosts that registered HTTP tools may reach
	Timeout    duration `json:"timeout"`        // how long a call may take, of tools that do not say; 60s
	Redact     bool     `json:"redact_results"` // remove what looks like a secret from results of tools
	NamePrefix int      `json:"name_prefix"`    // characters that a host puts before each tool's name
}

// later names the settings that are taken over at the start alone, where the new ones are not the old ones.
func (s gatewaySettings) later(fresh gatewaySettings) []string {
	var names []string
	if (len(s.Callers) == 0) != (len(fresh.Callers) == 0) { // of none at all nobody is let in until then
		names = append(names, "callers")
	}
	if !slices.Equal(s.Hosts, fresh.Hosts) {
		names = append(names, "hosts")
	}
	if s.NamePrefix != fresh.NamePrefix {
		names = append(names, "name_prefix")
	}
	return names
}

// A duration is written as text: 30s.
type duration struct{ time.Duration }

// UnmarshalJSON reads the text.
func (d *duration) UnmarshalJSON(raw []byte) error {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	parsed, err := time.ParseDuration(text)
	d.Duration = parsed
	return err
}

// A gatewayServer is a server behind the gateway.
type gatewayServer struct {
	name   string
	target wire.Target
}

func names(servers []gatewayServer) []string {
	var all []string
	for _, s := range servers {
		all = append(all, s.name)
	}
	return all
}

// same tells whether two entries mean the same server.
func (s gatewayServer) same(o gatewayServer) bool {
	return fmt.Sprintf("%q %q %q %q %q %q", s.target.Command, s.target.Env, s.target.Dir, s.target.URL, s.target.Header, s.target.Kind) ==
		fmt.Sprintf("%q %q %q %q %q %q", o.target.Command, o.target.Env, o.target.Dir, o.target.URL, o.target.Header, o.target.Kind)
}

// gatewayConfig reads the servers and the settings. One entry that cannot be used makes the whole file bad: a gateway
// that silently lacks a server is worse than one that says why it does not start.
func (w *Workbench) gatewayConfig(file string) ([]gatewayServer, gatewaySettings, error) {
	var settings gatewaySettings
	found, err := config.Load(w.System.System, file)
	if err != nil {
		return nil, settings, &UsageError{Message: err.Error()}
	}
	if len(found.Problems) > 0 {
		return nil, settings, &UsageError{Message: found.Problems[0].Error()}
	}
	if found.Gateway != nil {
		dec := json.NewDecoder(bytes.NewReader(found.Gateway))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&settings); err != nil {
			return nil, settings, &UsageError{Message: fmt.Sprintf("%s: gateway: %s", file, strings.TrimPrefix(err.Error(), "json: ")), Hint: settingsHint}
		}
		if _, err := access.New(settings.Config); err != nil {
			return nil, settings, &UsageError{Message: fmt.Sprintf("%s: gateway: %v", file, err)}
		}
	}
	var servers []gatewayServer
	for _, entry := range found.Entries {
		if entry.Disabled {
			continue
		}
		resolved, err := target.Resolve(w.System, target.Spec{Args: []string{entry.Name}, Config: file}, nil)
		if err != nil {
			return nil, settings, withRemedy(err)
		}
		w.Secrets.Join(resolved.Secrets)
		resolved.Target.Supervisor = w.Supervisor
		servers = append(servers, gatewayServer{entry.Name, resolved.Target})
	}
	return servers, settings, nil
}

// withRemedy tells what to do about a server that cannot even be tried, where nothing better is known.
func withRemedy(err error) error {
	var wrong *target.Error
	if errors.As(err, &wrong) && wrong.Hint == "" {
		return &target.Error{Message: wrong.Message, Hint: `set what is missing, write ${NAME:-} for a variable that may be empty, or leave the server out with "disabled": true`}
	}
	return err
}

// settingsHint names what can be set.
const settingsHint = "gateway has callers, jwt, hosts, http_hosts, timeout, redact_results and name_prefix; a caller has name, token_sha256 (what printf %s TOKEN | sha256sum prints) " +
	"or subject, allow, deny, rate, burst and manage"
