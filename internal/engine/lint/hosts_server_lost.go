package lint

import "github.com/mcptest-dev/mcptest/internal/finding"

var hostsServerLost = &Rule{
	Rule: finding.Rule{
		ID:       "hosts/server-lost",
		Severity: finding.Error,
		Doc: `tool that costs a host all tools of the server

Some hosts validate the whole list of tools. One tool that does not match makes them reject the list, so the model has no
tool of the server, and the user sees no reason. The finding names the hosts and the part that they reject, from runs of
these hosts. The usual cause is an annotation with the value null.

It is a warning where the revision allows the part, such as an outputSchema of another type than object in 2026-07-28, and
the host does not support that yet.

Omit the field, or give it a value of the type that the protocol requires.`,
	},
	Check: func(p *Pass) { reportLost(p, true) },
}
