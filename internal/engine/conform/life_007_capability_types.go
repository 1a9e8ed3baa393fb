package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life007 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-007",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/lifecycle#capability-negotiation"),
		Doc: `capabilities must be objects and their flags booleans

A client checks whether a key exists and reads its value. Some clients treat "tools": true or "listChanged": "yes" as
declared, others as absent, and typed clients reject it.`,
	},
	Run: func(ctx context.Context, p *CheckContext) error {
		handshake, err := p.Handshake(ctx)
		if err != nil {
			return err
		}
		members, err := schema.Members(At(handshake.Reply.Result, "/capabilities"))
		if err != nil {
			return p.Skip("no capabilities to check; see LIFE-001 and LIFE-020")
		}
		for _, m := range members {
			at := "/capabilities/" + schema.Token(m.Name)
			if schema.Kind(m.Value) != '{' {
				p.Report(Evidence{Exchange: handshake, Pointer: at}, "capability %s is %s, expected an object",
					clip.Text(m.Name, 40), show(m.Value))
				continue
			}
			for _, name := range []string{"listChanged", "subscribe"} {
				if raw := At(m.Value, "/"+name); raw != nil && schema.Kind(raw) != 't' && schema.Kind(raw) != 'f' {
					p.Report(Evidence{Exchange: handshake, Pointer: at + "/" + name},
						"%s of %s is %s, expected true or false", name, clip.Text(m.Name, 40), show(raw))
				}
			}
		}
		return nil
	},
}
