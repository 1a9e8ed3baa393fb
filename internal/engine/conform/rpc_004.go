package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var rpc004 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-004",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic#notifications"),
		Doc: `notifications must not be answered

A notification has no ID, so a response to it matches no request. Clients treat it as a protocol error, and some close
the connection. Unknown notifications must be ignored.`,
	},
	On:      OnPipe,
	Scratch: true,
	Run: func(ctx context.Context, p *Pass) error {
		s, err := p.Scratch(ctx)
		if err != nil {
			return err
		}
		sent, err := p.Throw(ctx, s, `{"jsonrpc":"2.0","method":"notifications/mcptest-unknown","params":`+p.Params("")+`}`)
		if err != nil {
			return err
		}
		if _, err := p.Alive(ctx, s); err != nil {
			return err
		}
		p.Silence(ctx)
		for _, f := range p.repliesTo(sent) {
			p.Report(Seen{Subject: "notifications", Frames: []wire.Frame{sent, f}}, "notification was answered, expected no response")
		}
		return nil
	},
}

// repliesTo returns the responses in the scratch session that can only belong to a frame that was not a proper request:
// without an ID, or with the ID in the frame.
func (p *Pass) repliesTo(sent wire.Frame) []wire.Frame {
	var found []wire.Frame
	own, name := mcp.Read(sent).ID, p.round.nameOf(p.scratch)+"/"
	for _, f := range p.round.opts.Log.Since(sent.Seq) {
		if f.From != wire.Server || !strings.HasPrefix(f.Stream, name) {
			continue
		}
		m := mcp.Read(f)
		if m.IsResponse() && (m.ID == nil || string(m.ID) == "null" || own != nil && string(m.ID) == string(own)) {
			found = append(found, f)
		}
	}
	return found
}
