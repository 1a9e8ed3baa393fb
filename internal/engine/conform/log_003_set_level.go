package conform

import (
	"context"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var log003 = &Check{
	Rule: finding.Rule{
		ID:       "LOG-003",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/utilities/logging"),
		Doc: `log messages should respect the level set by the client

A client that sets the level emergency must receive only emergency messages. Some hosts show each message to the user.`,
	},
	Needs: "logging",
	Slow:  true,
	Run: func(ctx context.Context, p *CheckContext) error {
		told, err := p.unasked(ctx)
		if err != nil {
			return err
		}
		for _, m := range told {
			level := schema.TextAt(m.Params, "/level")
			if m.Method != "notifications/message" || !slices.Contains(logLevels, level) {
				continue // WIRE-003 reports a level that does not exist
			}
			if level != "emergency" {
				p.Report(Evidence{Subject: m.Method, Pointer: "/params/level", Frames: []wire.Frame{m.Frame}},
					"message with level %s received after the level was set to emergency, expected none", quoted(level))
				break
			}
		}
		return nil
	},
}
