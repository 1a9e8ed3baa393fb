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
		Spec:     spec.URL("2026-07-28", "basic/versioning"),
		Doc: `A request in an unknown revision is refused with -32022 and what would do.

The refusal is how a client finds a common revision: its data lists what the server speaks (supported) and repeats what was
asked (requested). Any other error leaves the client to guess.`,
	},
	Since: mcp.NewestModern,
	Run:   func(ctx context.Context, p *Pass) error { return p.unknownRevision(ctx, "2099-12-31") },
}

// unknownRevision asks for something in a revision that no server can know, behind a request in one that this server knows:
// some judge the first request of a connection alone.
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
		p.Report(seen, "a request in the revision %s was served; want error %d", revision, mcp.CodeUnsupportedVersion)
	case e.Code != mcp.CodeUnsupportedVersion:
		p.Report(seen, "a request in the revision %s was answered with %v; want error %d", revision, e, mcp.CodeUnsupportedVersion)
	case json.Unmarshal(e.Data, &data) != nil || len(data.Supported) == 0 || data.Requested != revision:
		seen.Pointer = "/data"
		p.Report(seen, "the data of error %d is %s; want supported, a list of revisions, and requested, %q", e.Code, show(e.Data), revision)
	}
	return nil
}

// listed is a request that the server serves everybody: for the list of its tools, or server/discover where it has none.
func (p *Pass) listed() string {
	if p.Declares("tools") {
		return "tools/list"
	}
	return "server/discover"
}
