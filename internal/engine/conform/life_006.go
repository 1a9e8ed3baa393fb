package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life006 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-006",
		Severity: finding.Error,
		Spec:     spec.URL("2025-11-25", "basic/lifecycle#initialization"),
		Doc: `The server says who it is: a name and a version.

Hosts show both to their users and put both into bug reports. serverInfo has name and version, strings that are not empty:
in the answer to initialize, or in the _meta of results in the modern era.`,
	},
	Run: func(ctx context.Context, p *Pass) error {
		greeting, err := p.Greeting(ctx)
		if err != nil {
			return err
		}
		info, at := At(greeting.Reply.Result, "/serverInfo"), "/serverInfo"
		if p.Modern() {
			at = "/_meta/io.modelcontextprotocol~1serverInfo"
			info = At(greeting.Reply.Result, at)
		}
		if schema.Kind(info) != '{' {
			return p.Skip("there is no serverInfo to look at; LIFE-001 and LIFE-027 tell")
		}
		for _, name := range []string{"name", "version"} {
			if TextAt(info, "/"+name) == "" {
				p.Report(Seen{Exchange: greeting, Pointer: at + "/" + name}, "%s of serverInfo is %s; want a string that is not empty", name, show(At(info, "/"+name)))
			}
		}
		return nil
	},
}
