package conform

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// refusesMeta expects a request with incomplete metadata to be rejected. If it is not, excused reports whether that is
// only a warning; it may be nil.
func (p *CheckContext) refusesMeta(ctx context.Context, s *mcp.Session, params, how string,
	excused func(context.Context, *mcp.RPCError) bool) error {
	method := p.listed()
	id := strconv.FormatInt(s.ReserveID(), 10)
	ex, err := p.Send(ctx, s, id, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params))
	if err != nil {
		return err
	}
	done := "served"
	if e := ex.Reply.Error; e != nil && slices.Contains(p.malformed(), e.Code) {
		return nil
	} else if e != nil {
		done = fmt.Sprintf("rejected with %v", e)
	}
	tell := p.Report
	if excused != nil && excused(ctx, ex.Reply.Error) {
		tell = p.Warn
	}
	tell(Evidence{Exchange: ex}, "request %s was %s, expected error %d", how, done, mcp.CodeInvalidParams)
	return nil
}

// tooEarly reports whether a first request without metadata can be treated as one sent before a handshake: over stdio,
// if the server supports a revision with a handshake. The server may list such a revision, or accept it in a handshake.
func (p *CheckContext) tooEarly(ctx context.Context, _ *mcp.RPCError) bool {
	first := p.round.sessions.first
	if transportOf(p.Target.Transport()) == OnHTTP || first == nil || first.Handshake == nil ||
		first.Handshake.Reply == nil {
		return false
	}
	spoken, _ := schema.Elements(At(first.Handshake.Reply.Result, "/supportedVersions"))
	return slices.ContainsFunc(spoken, func(raw json.RawMessage) bool {
		text, _ := textOf(raw)
		return spec.EraOf(text) == spec.Legacy
	}) || p.supportsHandshake(ctx)
}

// unknownRevision sends a request in a revision that no server supports, after one in a supported revision: some
// servers check only the first request of a connection.
func (p *CheckContext) unknownRevision(ctx context.Context, revision string) error {
	s, err := p.Session(ctx)
	if err != nil {
		return err
	}
	method := p.listed()
	if _, err := p.CallIn(ctx, s, method, nil); err != nil {
		return err
	}
	meta := strings.Replace(string(p.Meta()), p.Revision.ID, revision, 1)
	ex, err := p.requestAs(ctx, s, method, json.RawMessage(`{"_meta":`+meta+`}`), revision)
	if err != nil {
		return err
	}
	var data struct {
		Supported []string
		Requested string
	}
	seen := Evidence{Exchange: ex, Led: true}
	switch e := ex.Reply.Error; {
	case e == nil:
		p.Report(seen, "request in revision %s was served, expected error %d", revision, mcp.CodeUnsupportedVersion)
	case e.Code != mcp.CodeUnsupportedVersion:
		p.Report(seen, "request in revision %s: got %v, expected error %d", revision, e, mcp.CodeUnsupportedVersion)
	case json.Unmarshal(e.Data, &data) != nil || len(data.Supported) == 0 || data.Requested != revision:
		seen.Pointer = "/data"
		p.Report(seen, "data of error %d is %s, expected supported, an array of revisions, and requested, %q", e.Code,
			show(e.Data), revision)
	}
	return nil
}

// listed returns a request that the server serves to every client: tools/list, or server/discover if it has no tools.
func (p *CheckContext) listed() string {
	if p.Declares("tools") {
		return "tools/list"
	}
	return "server/discover"
}

// negotiate requests a revision that no server supports, in a separate session.
func (p *CheckContext) negotiate(ctx context.Context, revision string) error {
	s, err := p.Bare(ctx)
	if err != nil {
		return err
	}
	ex, err := p.CallIn(ctx, s, "initialize", mcp.Object("protocolVersion", revision, "capabilities", mcp.Object(),
		"clientInfo", mcp.Object("name", "mcptest", "version", "1")))
	if err != nil {
		return err
	}
	if ex.Reply.Error != nil {
		p.Report(Evidence{Exchange: ex}, "initialize with revision %s: got %v, expected a result with a supported "+
			"revision", revision, ex.Reply.Error)
		return nil
	}
	answered := schema.TextAt(ex.Reply.Result, "/protocolVersion")
	if _, known := spec.Find(answered); !known && answered != spec.Draft2024 || spec.EraOf(answered) == spec.Modern {
		p.Report(Evidence{Exchange: ex, Pointer: "/protocolVersion"},
			"initialize with revision %s: got %q, expected a supported revision with a handshake", revision,
			clip.Text(answered, 40))
	}
	return nil
}

// supportsHandshake reports whether the server agrees on a revision with a handshake.
func (p *CheckContext) supportsHandshake(ctx context.Context) bool {
	s, err := p.Open(ctx, func(o *mcp.Options) { o.Protocol = spec.NewestLegacy })
	if err != nil || s.Handshake == nil || s.Handshake.Reply == nil {
		return false
	}
	agreed := schema.TextAt(s.Handshake.Reply.Result, "/protocolVersion")
	return agreed != "" && spec.EraOf(agreed) == spec.Legacy
}
