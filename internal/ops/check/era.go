package check

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// handshakeTimeout is how long a server of the stateless era may take to reject the handshake.
const handshakeTimeout = 10 * time.Second

// rejectsHandshake reports whether the server serves only the stateless era, which most hosts do not speak. Some servers
// that serve the handshake do not list its revisions in server/discover, so it is tried on a connection of its own, if the
// time is not over.
func (c *checkRun) rejectsHandshake(ctx context.Context, ends time.Time) bool {
	limit := min(handshakeTimeout, time.Until(ends))
	if limit < time.Second || c.session.Era != spec.Modern || c.one || slices.ContainsFunc(c.session.SupportedVersions(), func(revision string) bool {
		return spec.EraOf(revision) == spec.Legacy
	}) {
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
	var rejected *mcp.HandshakeError
	var status *wire.StatusError
	return errors.As(err, &rejected) || errors.As(err, &status) && status.Status == http.StatusBadRequest
}
