package check

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// handshakeTimeout is how long a server of the stateless era may take to reject the handshake.
const handshakeTimeout = 10 * time.Second

// rejectsHandshake reports whether the server serves only the stateless era, which most hosts do not speak. Some servers
// that serve the handshake do not list its revisions in server/discover, so it is tried on a connection of its own, if the
// time is not over.
func (c *checkRun) rejectsHandshake(ctx context.Context, ends time.Time) bool {
	limit := min(handshakeTimeout, time.Until(ends))
	isLegacy := func(revision string) bool { return spec.EraOf(revision) == spec.Legacy }
	if limit < time.Second || c.one || c.session.Era != spec.Modern || slices.ContainsFunc(c.session.SupportedVersions(), isLegacy) {
		return false
	}
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	session, err := mcp.Connect(bounded, c.session.Target(), nil, &mcp.Options{Protocol: spec.NewestLegacy,
		Client: mcp.Implementation{Name: "mcptest", Version: c.w.Version}, Timeout: limit})
	if err == nil {
		_ = session.Close()
		return false
	}
	var rejected *mcp.HandshakeError // with other codes, it may reject a second client
	return errors.As(err, &rejected) && rejected.Refusal.Code != mcp.CodeInvalidRequest && rejected.Refusal.Code != mcp.CodeInternal
}
