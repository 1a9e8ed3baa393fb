package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life002 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-002",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/lifecycle#version-negotiation"),
		Doc: `initialize with an unknown version must return a supported version

A request for a future revision must not fail: the server returns the newest revision that it supports, and the client
decides whether to continue. A server must not echo a revision that it does not support.`,
	},
	Until: spec.NewestLegacy,
	Run:   func(ctx context.Context, p *Pass) error { return p.negotiate(ctx, "2099-12-31") },
}

// negotiate requests a revision that no server supports, in a separate session.
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
		p.Report(Seen{Exchange: ex}, "initialize with revision %s: got %v, expected a result with a supported revision", revision, ex.Reply.Error)
		return nil
	}
	answered := TextAt(ex.Reply.Result, "/protocolVersion")
	if _, known := spec.Find(answered); !known && answered != spec.Draft2024 || spec.EraOf(answered) == spec.Modern {
		p.Report(Seen{Exchange: ex, Pointer: "/protocolVersion"},
			"initialize with revision %s: got %q, expected a supported revision with a handshake", revision, clip.Text(answered, 40))
	}
	return nil
}
