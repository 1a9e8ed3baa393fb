package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var log003 = &Check{
	Rule: finding.Rule{
		ID:       "LOG-003",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/utilities/logging"),
		Doc: `Nothing is logged below the level that the client has set.

A client that wants to hear of emergencies alone is told of nothing else. It may be counting: on some hosts each
message is a line in front of a person.`,
	},
	Needs: "logging",
	Run: func(ctx context.Context, p *Pass) error {
		tools, err := p.quickTools(ctx, tells("notifications/message"))
		if err != nil {
			return err
		}
		h, err := p.Hearing(ctx, func(o *mcp.Options) { o.LogLevel = "emergency" })
		if err != nil {
			return err
		}
		p.callIn(ctx, h.Session, tools, false)
		for _, m := range h.heard("notifications/message") {
			if level := TextAt(m.Params, "/level"); level != "emergency" {
				p.Report(Seen{Subject: m.Method, Pointer: "/params/level", Frames: []wire.Frame{m.Frame}}, "a message of the level %s came although emergency was set; want none", quoted(level))
				break
			}
		}
		return nil
	},
}
