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

Hosts show both to their users and put both into bug reports. serverInfo has name and version, both strings: in the answer
to initialize, or in the _meta of results in the modern era. An empty string is one by the letter, and a warning: some SDKs
send it for an author who has set none.`,
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
			seen := Seen{Exchange: greeting, Pointer: at + "/" + name}
			switch text, ok := textOf(At(info, "/"+name)); {
			case !ok:
				p.Report(seen, "%s of serverInfo is %s; want a string", name, show(At(info, "/"+name)))
			case text == "":
				p.Warn(seen, "%s of serverInfo is empty; want a string that says something", name)
			}
		}
		return nil
	},
}
