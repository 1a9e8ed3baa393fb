package gateway

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// gatewaySettings are the field "gateway" of the config file.
type gatewaySettings struct {
	access.Config
	Hosts      []string `json:"hosts"`          // allowed Host values, besides loopback names
	HTTPHosts  []string `json:"http_hosts"`     // the hosts that registered HTTP tools may reach
	Timeout    duration `json:"timeout"`        // timeout of calls to tools that do not set one; 60s
	Redact     bool     `json:"redact_results"` // remove what looks like a secret from tool results
	NamePrefix int      `json:"name_prefix"`    // prefix that a host adds to each tool name
	// characters of tool definitions up to which --expose auto shows a caller all tools (default 20000)
	Budget int `json:"expose_budget"`
	// how servers are used, by their names in mcpServers; * is for those that are not listed
	Servers map[string]serverSettings `json:"servers"`
	// validators, timeouts and schemas for tools, by their names
	Tools []toolRule `json:"tools"`
	// what callers may use: definitions as in a lock file, and those that were approved later; without it everything
	Lock *gatewayLock `json:"lock"`
	// where tokens for servers with oauth are stored, and where callers connect their accounts
	Accounts accountSettings `json:"accounts"`
	// an embeddings endpoint, with which tools are also found by meaning; without it, by words alone
	Embeddings *embeddingSettings `json:"embeddings"`
}

// later lists the changed settings that only take effect at startup.
func (s gatewaySettings) later(fresh gatewaySettings) []string {
	var names []string
	if s.Lists() != fresh.Lists() { // without any, nobody has access until then
		names = append(names, "callers")
	}
	if !slices.Equal(s.Hosts, fresh.Hosts) {
		names = append(names, "hosts")
	}
	if s.NamePrefix != fresh.NamePrefix {
		names = append(names, "name_prefix")
	}
	if !reflect.DeepEqual(s.Accounts, fresh.Accounts) {
		names = append(names, "accounts")
	}
	if !reflect.DeepEqual(s.Embeddings, fresh.Embeddings) {
		names = append(names, "embeddings")
	}
	if s.Budget != fresh.Budget {
		names = append(names, "expose_budget")
	}
	return names
}

// A duration is written as a string: 30s.
type duration struct{ time.Duration }

// UnmarshalJSON parses the string.
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
	name     string
	target   wire.Target
	settings serverSettings
}

func names(servers []gatewayServer) []string {
	var all []string
	for _, s := range servers {
		all = append(all, s.name)
	}
	return all
}

// same reports whether two entries define the same server.
func (s gatewayServer) same(o gatewayServer) bool {
	return reflect.DeepEqual(s.settings, o.settings) &&
		fmt.Sprintf("%q %q %q %q %q %q", s.target.Command, s.target.Env, s.target.Dir, s.target.URL, s.target.Header,
			s.target.Kind) ==
			fmt.Sprintf("%q %q %q %q %q %q", o.target.Command, o.target.Env, o.target.Dir, o.target.URL, o.target.Header,
				o.target.Kind)
}

// settingsProblem describes an invalid setting, without the names of Go's types.
func settingsProblem(err error) string {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Sprintf("%s: unexpected %s", kind.Field, kind.Value)
	}
	text := strings.TrimPrefix(err.Error(), "json: ")
	if name, unknown := strings.CutPrefix(text, "unknown field "); unknown {
		return "unknown key " + name
	}
	return text
}

// gatewayConfig reads the servers and the settings. One invalid entry makes the whole file invalid: a gateway
// that silently lacks a server is worse than one that reports why it does not start.
func gatewayConfig(w *workbench.Workbench, file string) ([]gatewayServer, gatewaySettings, error) {
	var settings gatewaySettings
	found, err := config.Load(w.System.System, file)
	if err != nil {
		return nil, settings, &workbench.UsageError{Message: err.Error()}
	}
	if len(found.Problems) > 0 {
		return nil, settings, &workbench.UsageError{Message: found.Problems[0].Error()}
	}
	if found.Gateway != nil {
		dec := json.NewDecoder(bytes.NewReader(found.Gateway))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&settings); err != nil {
			return nil, settings, &workbench.UsageError{Message: fmt.Sprintf("%s: gateway: %s", file,
				settingsProblem(err)),
				Hint: settingsHint}
		}
		if err := settings.readSecrets(w, file); err != nil {
			return nil, settings, err
		}
		if err := settings.checkTools(file); err != nil {
			return nil, settings, err
		}
		if settings.Embeddings != nil {
			if err := settings.Embeddings.check(file); err != nil {
				return nil, settings, err
			}
		}
		if settings.Budget < 0 {
			return nil, settings, &workbench.UsageError{Message: file + ": gateway: expose_budget must not be negative",
				Hint: "remove it to use the default of 20000 characters"}
		}
		if err := readGatewayLock(w, file, settings.Lock); err != nil {
			return nil, settings, err
		}
		if _, err := access.New(settings.Config); err != nil {
			return nil, settings, &workbench.UsageError{Message: fmt.Sprintf("%s: gateway: %v", file, err)}
		}
	}
	var known []string
	for _, entry := range found.Entries {
		known = append(known, entry.Name)
	}
	if err := settings.checkServers(file, known); err != nil {
		return nil, settings, err
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
		one := gatewayServer{entry.Name, resolved.Target, settings.settingsOf(entry.Name)}
		if err := one.checkOAuth(file); err != nil {
			return nil, settings, err
		}
		servers = append(servers, one)
	}
	return servers, settings, nil
}

// withRemedy adds to the hint of a server that cannot be started that the gateway can do without it.
func withRemedy(err error) error {
	var wrong *target.Error
	if !errors.As(err, &wrong) {
		return err
	}
	hint := cmp.Or(wrong.Hint, "set the missing value, or write ${NAME:-} for a variable that may be empty")
	return &target.Error{Message: wrong.Message, Hint: hint + `, or disable the server with "disabled": true`}
}

// settingsHint lists the allowed settings.
const settingsHint = "allowed keys of gateway: callers, jwt, hosts, http_hosts, timeout, redact_results, " +
	"name_prefix, expose_budget, servers, tools, lock, accounts and embeddings; of a caller: name, token_sha256 (output of printf %s TOKEN | " +
	"sha256sum) or subject, allow, deny, rate, burst and manage; docs/reference/config.md lists the others"
