package conform

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var life031 = &Check{
	Rule: finding.Rule{
		ID:       "LIFE-031",
		Severity: finding.Error,
		Spec:     spec.URL(spec.July2026, "basic/versioning"),
		Doc: `every version in supportedVersions must be supported

A client chooses a revision from supportedVersions of server/discover. A request in a listed revision from 2026-07-28 on
failed with -32022, or the handshake of a listed revision up to 2025-11-25 failed or returned another revision: the client has to
start over, or gives up. List only what the server accepts. Of the revisions with a handshake, the newest and the oldest are tried.`,
	},
	Run: func(ctx context.Context, p *CheckContext) error {
		versions, err := p.listedVersions(ctx)
		if err != nil {
			return err
		}
		isModern := func(version string) bool { return spec.EraOf(version) == spec.Modern }
		if !p.Modern() && slices.ContainsFunc(versions, isModern) {
			return p.Skip("tested in the revisions from %s on, which the server supports", spec.July2026)
		}
		for _, version := range versions[:min(len(versions), maxVersions)] {
			if version == p.Revision.ID || spec.EraOf(version) == spec.Legacy || !dates().MatchString(version) {
				continue // LIFE-020 reports what is no revision
			}
			if err := p.requestIn(ctx, version); err != nil {
				return err
			}
		}
		for _, version := range handshakeVersions(versions, p.Revision.ID) {
			if err := p.shakeHandsIn(ctx, version); err != nil {
				return err
			}
		}
		return nil
	},
}

// listedVersions returns supportedVersions. A server may have server/discover and support only revisions with a handshake.
func (p *CheckContext) listedVersions(ctx context.Context) (versions []string, err error) {
	s, err := p.Session(ctx)
	if err != nil {
		return nil, err
	}
	limited, cancel := ctx, func() {}
	if !p.Modern() {
		limited, cancel = context.WithTimeout(ctx, p.Timeout()/10) // RPC-003 reports a server that does not answer
	}
	defer cancel()
	ex, err := p.CallIn(limited, s, "server/discover", nil)
	if !p.Modern() && (err != nil || At(ex.Reply.Result, "/supportedVersions") == nil) {
		return nil, p.Skip("server has no server/discover")
	}
	if err != nil {
		return nil, err
	}
	raw := At(ex.Reply.Result, "/supportedVersions")
	_ = json.Unmarshal(raw, &versions) // LIFE-020 reports another type
	return versions, nil
}

// requestIn makes a request in a listed revision from 2026-07-28 on.
func (p *CheckContext) requestIn(ctx context.Context, version string) error {
	s, err := p.Session(ctx)
	if err != nil {
		return err
	}
	meta := strings.Replace(string(p.Meta()), p.Revision.ID, version, 1)
	ex, err := p.requestAs(ctx, s, p.listed(), json.RawMessage(`{"_meta":`+meta+`}`), version)
	if err != nil {
		return err
	}
	if refusal := ex.Reply.Error; refusal != nil && refusal.Code == mcp.CodeUnsupportedVersion {
		p.Report(Evidence{Exchange: ex, Led: true}, "supportedVersions contains %s: expected a result, got error %d: %s",
			quoted(version), refusal.Code, errorLine(refusal))
	}
	return nil
}

// handshakeVersions returns the newest and the oldest of the listed revisions with a handshake, without the one in use.
func handshakeVersions(versions []string, used string) []string {
	var some []string
	for _, id := range spec.IDs() {
		if id != used && spec.EraOf(id) == spec.Legacy && slices.Contains(versions, id) {
			some = append(some, id)
		}
	}
	if len(some) > 2 {
		some = []string{some[0], some[len(some)-1]}
	}
	return some
}

// shakeHandsIn does the handshake in a listed revision, on a new connection.
func (p *CheckContext) shakeHandsIn(ctx context.Context, version string) error {
	seen, reply, err := p.initializeIn(ctx, version)
	if err != nil || reply == nil {
		return err
	}
	seen.Subject = "initialize"
	listed := "supportedVersions contains " + quoted(version)
	switch got := schema.TextAt(reply.Result, "/protocolVersion"); {
	case reply.Error != nil:
		p.Report(seen, "%s: expected a result of initialize, got error %d: %s", listed, reply.Error.Code, errorLine(reply.Error))
	case got != version && got != "": // LIFE-001 reports a missing one
		p.Report(seen, "%s: expected initialize to return it, got %s", listed, quoted(got))
	}
	return nil
}

// initializeIn sends initialize with a revision. The reply is nil if it does not show whether the server supports the revision:
// over HTTP, it may be busy, or have another client.
func (p *CheckContext) initializeIn(ctx context.Context, version string) (Evidence, *mcp.Message, error) {
	v := &HTTPSession{p: p}
	if transportOf(p.Target.Transport()) != OnHTTP {
		s, err := p.Bare(ctx)
		if err != nil {
			return Evidence{}, nil, err
		}
		ex, err := p.Send(ctx, s, "1", v.Initialize(version))
		if err != nil {
			return Evidence{}, nil, err
		}
		return Evidence{Exchange: ex}, ex.Reply, nil
	}
	header := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	a, err := p.Fetch(ctx, Fetch{Header: header, Body: v.Initialize(version), Again: true})
	if err != nil {
		return Evidence{}, nil, err
	}
	if session := a.Header.Get("Mcp-Session-Id"); session != "" {
		header.Set("Mcp-Session-Id", session)
		_, _ = p.Fetch(ctx, Fetch{Method: http.MethodDelete, Header: header, Again: true})
	}
	reply := a.Reply()
	if reply != nil && reply.Error != nil && !isVersionRefusal(reply.Error.Code) {
		reply = nil
	}
	return Evidence{Answer: a}, reply, nil
}

// isVersionRefusal reports whether servers reject initialize with a code because of its revision, or its lack of metadata.
func isVersionRefusal(code int64) bool {
	switch code {
	case mcp.CodeUnsupportedVersion, mcp.CodeMethodNotFound, mcp.CodeInvalidParams, mcp.CodeHeaderMismatch:
		return true
	}
	return false
}

// dates matches what a revision looks like.
var dates = lazyregexp.New(`^\d{4}-\d\d-\d\d$`)

// maxVersions is how many listed revisions are tried.
const maxVersions = 8
