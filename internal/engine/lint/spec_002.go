package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var spec002 = &Rule{
	Rule: finding.Rule{
		ID:       "SPEC-002",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#tool"),
		Doc: `missing or invalid tool name

A call identifies the tool by its name. A tool whose name is missing, empty or not a string cannot be called, and strict
clients reject the whole list.

Add a name that is a string to every tool.`,
	},
	Check: func(p *Pass) {
		if p.Tool.Fields == nil {
			return
		}
		value, ok := p.Tool.Get("name")
		switch {
		case !ok:
			p.Report("", "the tool has no name")
		case schema.Kind(value) != '"':
			p.Report("/name", "the name is %s, expected a string", kindName(value))
		case p.Tool.Name == "":
			p.Report("/name", "the name is empty")
		}
	},
}
