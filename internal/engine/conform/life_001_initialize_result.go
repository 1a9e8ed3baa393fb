package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life001 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-001",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/lifecycle#initialization"),
		Doc: `initialize result must include protocolVersion, capabilities and serverInfo

The result names the revision of the session (protocolVersion, a string), what the server supports (capabilities, an
object) and its implementation (serverInfo, an object). Clients disconnect if one of them is missing.`,
	},
	Until: spec.NewestLegacy,
	Run: func(ctx context.Context, p *CheckContext) error {
		handshake, err := p.Handshake(ctx)
		if err != nil {
			return err
		}
		for _, member := range []struct {
			name string
			kind byte
			want string
		}{{"protocolVersion", '"', "a string"}, {"capabilities", '{', "an object"}, {"serverInfo", '{', "an object"}} {
			raw := At(handshake.Reply.Result, "/"+member.name)
			if schema.Kind(raw) != member.kind {
				p.Report(Evidence{Exchange: handshake, Pointer: "/" + member.name}, "%s is %s, expected %s", member.name,
					show(raw), member.want)
			}
		}
		return nil
	},
}
