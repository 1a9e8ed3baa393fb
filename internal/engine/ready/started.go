package ready

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Started is what happened when a server was started, or why it was not.
type Started struct {
	Launch
	Problem  string   // why it did not start; empty if it did
	Stderr   []string // its last output
	Variable string   // the environment variable that it lacks
	// it rejected a request without credentials, and names no authorization server
	NeedsHeader bool

	// reports whether the published package names a server as its own; nil if that is not known
	Owns func(server string) bool

	Name    string // that the server reports
	Reports string // the version that it reports
	Tools   []json.RawMessage
	Prompts []string
	Views   []View

	Authorization *Authorization // of a remote; nil if it is not known
}

// started judges what was started as one file declares it.
func (r *run) started(in *file) {
	for _, s := range r.opts.Started {
		if s.File != in.name || s.Cannot != "" {
			continue
		}
		if s.Owns != nil && !s.Owns(in.text("/name")) {
			r.found("REG-009", in, s.Pointer, "the published %s package %s lacks %s", s.Kind, s.Package,
				strings.ReplaceAll(marks[s.Kind], "NAME", in.text("/name")))
		}
		if s.Problem != "" {
			r.notStarted(in, s)
			continue
		}
		r.reported(in, s)
		if s.Place == MCPB {
			r.listed(in, "tools", toolNames(s.Tools))
			r.listed(in, "prompts", s.Prompts)
		}
	}
}

// startRules are the rules of the places about a server that was started: it does not start, another version, another name.
var startRules = map[string][3]string{Registry: {"REG-013", "REG-010", "REG-015"}, MCPB: {"MCPB-007", "MCPB-009", "MCPB-011"}}

// notStarted reports a server that does not start, and what it lacks.
func (r *run) notStarted(in *file, s Started) {
	switch {
	case s.NeedsHeader && len(in.items(s.Pointer+"/headers")) == 0 && len(in.items(s.Pointer+"/transport/headers")) == 0:
		r.found("REG-014", in, s.Pointer, "the server requires authorization, and server.json declares no header for it")
		return
	case s.Variable != "" && s.Place == Registry && !declares(in, s.Pointer+"/environmentVariables", s.Variable):
		r.found("REG-014", in, s.Pointer, "the server requires the environment variable %s, which is not declared", s.Variable)
		return
	case s.Variable != "" && s.Place == MCPB && !slices.ContainsFunc(s.Env, func(pair string) bool {
		return strings.HasPrefix(pair, s.Variable+"=")
	}):
		r.found("MCPB-007", in, s.Pointer, "%s requires the environment variable %s, which mcp_config does not set", s.What,
			s.Variable)
		return
	}
	rule := startRules[s.Place][0]
	r.found(rule, in, s.Pointer, "%s does not start: %s", s.What, s.Problem)
	last := &r.findings[rule][len(r.findings[rule])-1]
	last.Evidence = s.Stderr
}

// declares reports whether a list of inputs has one with a name.
func declares(in *file, list, name string) bool {
	return slices.ContainsFunc(in.items(list), func(at string) bool { return in.text(at+"/name") == name })
}

// reported compares the name and the version that a server reports with those that the file declares.
func (r *run) reported(in *file, s Started) {
	rules := startRules[s.Place]
	declared := cmp.Or(s.Version, in.text("/version"))
	if s.Reports != "" && strings.TrimPrefix(s.Reports, "v") != strings.TrimPrefix(declared, "v") {
		r.found(rules[1], in, "/version", "%s reports version %s, %s names %s", s.What, s.Reports, in.name, declared)
	}
	names := []string{in.text("/name"), path.Base(in.text("/name")), in.text("/title"), in.text("/display_name"), s.Package,
		path.Base(s.Package)}
	if s.Name != "" && !slices.ContainsFunc(names, func(name string) bool { return sameName(name, s.Name) }) {
		r.found(rules[2], in, "/name", "%s reports the name %q, %s names %q", s.What, s.Name, in.name, in.text("/name"))
	}
}

// Started reports whether the server was started.
func (s *Started) Started() bool { return s.Cannot == "" && s.Problem == "" }

// sameName compares names without case, spaces, hyphens and underscores, and the words server and mcp.
func sameName(a, b string) bool {
	plain := strings.NewReplacer(" ", "", "-", "", "_", "", "server", "", "mcp", "")
	return plain.Replace(strings.ToLower(a)) == plain.Replace(strings.ToLower(b))
}

// listed compares a list of the manifest with that of the server.
func (r *run) listed(in *file, list string, real []string) {
	if !in.has("/" + list) {
		return
	}
	var declared []string
	for _, at := range in.items("/" + list) {
		name := in.text(at + "/name")
		if declared = append(declared, name); !slices.Contains(real, name) {
			r.found("MCPB-008", in, at, "the server has no %s %q", strings.TrimSuffix(list, "s"), name)
		}
	}
	var missing []string
	for _, name := range real {
		if !slices.Contains(declared, name) {
			missing = append(missing, fmt.Sprintf("%q", name))
		}
	}
	if len(missing) > 0 && !in.isTrue("/"+list+"_generated") {
		r.found("MCPB-008", in, "/"+list, "the manifest lacks %s of the server: %s", list, strings.Join(missing, ", "))
	}
}

func toolNames(tools []json.RawMessage) (names []string) {
	for _, tool := range tools {
		names = append(names, schema.TextAt(tool, "/name"))
	}
	return names
}

// startedTools are the tools of the first server that was started; nil if none was.
func startedTools(all []Started) []json.RawMessage {
	for _, s := range all {
		if s.Started() {
			return append([]json.RawMessage{}, s.Tools...)
		}
	}
	return nil
}
