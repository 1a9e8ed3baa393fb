package lint

import (
	"slices"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// root is the root of the tool's inputSchema; nil if it has none.
func (p *Pass) root() *Subschema {
	if p.Tool.Input == nil {
		return nil
	}
	return p.Tool.Input.Root()
}

// reportKeywords reports each use of a keyword in the inputSchema.
func reportKeywords(p *Pass, keywords []string, format string) {
	for _, place := range p.Subschemas() {
		for _, keyword := range keywords {
			if place.Has(keyword) {
				p.Report(place.WhereKey(keyword), format, keyword)
			}
		}
	}
}

// reportFormats reports each string format that is not in known.
func reportFormats(p *Pass, known ...string) {
	for _, place := range p.Subschemas() {
		if format, ok := place.Text("format"); ok && place.ofType("string") && !slices.Contains(known, format) {
			p.Report(place.WhereKey("format"), "format %s is not supported", quoted(format))
		}
	}
}

// ofType reports whether the place declares the type.
func (p *Subschema) ofType(name string) bool { return slices.Contains(p.Types(), name) }

// lacksItems reports whether the place is an array that does not declare its items.
func (p *Subschema) lacksItems() bool {
	return p.ofType("array") && !p.Has("items") && !p.Has("prefixItems")
}

// profileOf is the profile that the rule belongs to.
func profileOf(p *Pass) hosts.Profile {
	profile, _ := hosts.Find(p.Rule.Family())
	return profile
}

// reportToolName is the check of a rule about tool names. Clients can replace a dot, which MCP allows, as Claude Code and
// Codex do; so it is a warning.
func reportToolName(p *Pass) {
	names := profileOf(p).ToolName
	why := names.Refuses(p.Tool.Name)
	if why == "" || p.Tool.Name == "" {
		return
	}
	report := p.Report
	if names.Refuses(strings.ReplaceAll(p.Tool.Name, ".", "_")) == "" {
		report = p.Warn
	}
	report("/name", "name %s is not accepted (%s): %s", quoted(p.Tool.Name), profileOf(p).Name, why)
}

// reportCollisions reports tools of one server whose names become the same.
func reportCollisions(p *Pass, rename func(string) string) {
	first := map[[2]string]*Tool{}
	for _, t := range p.Tools {
		key := [2]string{t.Server, rename(t.Name)}
		if before, ok := first[key]; !ok {
			first[key] = t
		} else if before.Name != t.Name {
			p.ReportTool(t, "/name", nil, "the name becomes %s, the same as that of %s", quoted(key[1]),
				quoted(before.Name))
		}
	}
}

// untyped reports whether a place does not declare the type of its value in any way that a strict provider supports.
func untyped(place *Subschema) bool {
	if schema.Kind(place.Raw) != '{' {
		return true
	}
	return !slices.ContainsFunc([]string{"type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const"}, place.Has)
}

// A loss is a reason why hosts do not pass a tool on to a model.
type loss struct {
	why    string
	server bool     // it costs them all tools of the server
	hosts  []string // with their versions
}

// measured lists the hosts that were run.
var measured = sync.OnceValue(func() []hosts.Profile {
	return slices.DeleteFunc(hosts.Profiles(), func(p hosts.Profile) bool { return !p.Measured() })
})

// lossesOf asks the model of every measured host about a tool.
func lossesOf(t *Tool) []loss {
	losses := []loss{}
	tool := hosts.Read(t.Raw)
	for _, profile := range measured() {
		why, server := hosts.Loses(profile, t.Server, tool)
		if why == "" {
			continue
		}
		same := func(l loss) bool { return l.why == why && l.server == server }
		i := slices.IndexFunc(losses, same)
		if i < 0 {
			i = len(losses)
			losses = append(losses, loss{why: why, server: server})
		}
		losses[i].hosts = append(losses[i].hosts, profile.Name+" "+profile.Version)
	}
	return losses
}

// reportLost reports for which hosts a tool is lost, one finding per reason.
func reportLost(p *Pass, server bool) {
	if p.Tool.losses == nil { // for both rules
		p.Tool.losses = lossesOf(p.Tool)
	}
	for _, l := range p.Tool.losses {
		switch names := strings.Join(l.hosts, ", "); {
		case l.server != server:
		case server:
			report := p.Report
			if p.permitted() { // it is the host that does not support the revision
				report = p.Warn
			}
			report("", "%s: no tool of the server reaches the model of %s", l.why, names)
		default:
			p.Report("", "%s: the tool does not reach the model of %s", l.why, names)
		}
	}
}

// permitted reports whether the definition of the tool is valid in the revision. A property with the schema false, which
// no call may have, is a keyword in the wrong place.
func (p *Pass) permitted() bool {
	if root := p.root(); root != nil {
		for _, property := range root.Declared() {
			if property.Is(false) {
				return false
			}
		}
	}
	result := slices.Concat([]byte(`{"tools":[`), p.Tool.Raw, []byte(`]}`))
	inTool := func(v spec.Violation) bool { return strings.HasPrefix(v.Pointer, "/tools/0") }
	return !slices.ContainsFunc(p.Revision.ValidateResult(spec.Client, "tools/list", result), inTool)
}
