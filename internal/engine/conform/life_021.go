package conform

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life021 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-021",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic/versioning"),
		Doc: `unsupported version must fail with -32022 and list the supported ones

The error lets a client find a common revision: its data lists the revisions that the server supports (supported) and
repeats the requested one (requested). After any other error, the client has to guess.`,
	},
	Since: spec.NewestModern,
	Run:   func(ctx context.Context, p *Pass) error { return p.unknownRevision(ctx, "2099-12-31") },
}

// unknownRevision sends a request in a revision that no server supports, after one in a supported revision: some
// servers check only the first request of a connection.
func (p *Pass) unknownRevision(ctx context.Context, revision string) error {
	s, err := p.Session(ctx)
	if err != nil {
		return err
	}
	method := p.listed()
	if _, err := p.CallIn(ctx, s, method, nil); err != nil {
		return err
	}
	meta := strings.Replace(string(p.Meta()), p.Revision.ID, revision, 1)
	ex, err := p.askAs(ctx, s, method, json.RawMessage(`{"_meta":`+meta+`}`), revision)
	if err != nil {
		return err
	}
	var data struct {
		Supported []string
		Requested string
	}
	seen := Seen{Exchange: ex, Led: true}
	switch e := ex.Reply.Error; {
	case e == nil:
		p.Report(seen, "request in revision %s was served, expected error %d", revision, mcp.CodeUnsupportedVersion)
	case e.Code != mcp.CodeUnsupportedVersion:
		p.Report(seen, "request in revision %s: got %v, expected error %d", revision, e, mcp.CodeUnsupportedVersion)
	case json.Unmarshal(e.Data, &data) != nil || len(data.Supported) == 0 || data.Requested != revision:
		seen.Pointer = "/data"
		p.Report(seen, "data of error %d is %s, expected supported, an array of revisions, and requested, %q", e.Code, show(e.Data), revision)
	}
	return nil
}

// listed returns a request that the server serves to every client: tools/list, or server/discover if it has no tools.
func (p *Pass) listed() string {
	if p.Declares("tools") {
		return "tools/list"
	}
	return "server/discover"
}
