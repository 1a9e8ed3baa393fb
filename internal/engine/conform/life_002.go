package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life002 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-002",
		Severity: finding.Error,
		Spec:     spec.URL("2025-11-25", "basic/lifecycle#version-negotiation"),
		Doc: `A revision that the server does not know is answered with one that it does.

A client that asks for a revision from the future must not be refused: the server answers with the newest revision that it
speaks, and the client decides whether it can go on. An echo of the unknown revision promises what nobody can keep.`,
	},
	Until: mcp.NewestLegacy,
	Run:   func(ctx context.Context, p *Pass) error { return p.negotiate(ctx, "2099-12-31") },
}

// negotiate asks for a revision that no server can know, in a session of its own.
func (p *Pass) negotiate(ctx context.Context, revision string) error {
	s, err := p.Bare(ctx)
	if err != nil {
		return err
	}
	ex, err := p.CallIn(ctx, s, "initialize", mcp.Object("protocolVersion", revision, "capabilities", mcp.Object(), "clientInfo", mcp.Object("name", "mcptest", "version", "1")))
	if err != nil {
		return err
	}
	if ex.Reply.Error != nil {
		p.Report(Seen{Exchange: ex}, "initialize with the revision %s was answered with %v; want a result with a revision that the server speaks", revision, ex.Reply.Error)
		return nil
	}
	answered := TextAt(ex.Reply.Result, "/protocolVersion")
	if _, known := spec.Find(answered); !known && answered != "2024-10-07" || mcp.EraOf(answered) == mcp.Modern {
		p.Report(Seen{Exchange: ex, Pointer: "/protocolVersion"},
			"initialize with the revision %s was answered with %q; want a revision with a handshake that the server speaks", revision, clip(answered, 40))
	}
	return nil
}
