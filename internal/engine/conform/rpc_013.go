package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var rpc013 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-013",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic#messages"),
		Doc: `Messages are JSON-RPC 2.0.

A message has jsonrpc "2.0" and either a method, a result or an error; its error is an object; its keys stand once. What
departs from that is read by one client and dropped by the next.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *Pass) error {
		p.survey(ctx)
		for _, s := range p.round.judge.seen(&p.round.judge.odd) {
			if framing(s.text) || strings.HasPrefix(s.text, "a batch") && (p.Revision.ID == "2025-03-26" || ofOurBatch(s.message)) {
				continue // there may be batches, or RPC-010 tells
			}
			if s.text == "an answer without id" && s.message.Error != nil && p.Revision.ID >= mcp.NewestLegacy {
				continue // the id of a refusal may be left out, where there is none to give back
			}
			p.Report(Seen{Subject: s.method, Frames: s.frames}, "%s", s.text)
		}
		return nil
	},
}

// framing tells oddities of the transport from those of the message: the checks of the transport tell them.
func framing(text string) bool {
	for _, of := range []string{"not JSON", "the line ends", "a byte order mark", "an empty message", "bytes follow", "more than one message", "the stream ended", "over the limit",
		"ends too early", "UTF-8", "levels deep"} {
		if strings.Contains(text, of) {
			return true
		}
	}
	return false
}
