package conform

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var res009 = &Check{
	Rule: finding.Rule{
		ID:       "RES-009",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/resources#reading-resources"),
		Doc: `contents should have the URI of the requested resource

A client that requests several resources distinguishes their contents by uri: that of the resource, or of a part of it.

A collection may return the contents of its members: several contents that each have another URI are not reported.`,
	},
	Needs: "resources",
	Run: func(ctx context.Context, p *CheckContext) error {
		reads, err := p.Reads(ctx)
		for _, r := range reads {
			p.expectURI(r.Exchange, r.Item.Name, r.Item.Name)
		}
		if err != nil {
			return err
		}
		read := map[string]bool{}
		list, err := p.List(ctx, "resources/templates/list")
		for _, item := range itemsOf(list, err) {
			if item.Name == "" || templateProblem(item.Name) != "" {
				continue
			}
			uri := filledIn(item.Name)
			ex, err := p.Call(ctx, "resources/read", mcp.Object("uri", uri))
			if err != nil {
				return err
			}
			p.expectURI(ex, item.Name, uri)
			read[item.Name] = ex.Reply.Error == nil
		}
		known, err := p.knownReads(ctx)
		for _, r := range known {
			if r.isRead() && !read[r.item.Name] {
				p.expectURI(r.last, r.item.Name, r.uri)
			}
		}
		if skip := (*errSkip)(nil); errors.As(err, &skip) {
			return nil // there are no templates
		}
		return err
	},
}

// expectURI expects the contents of a read to have the URI that was requested, or that of a part of it. The contents of
// a collection have the URIs of its members.
func (p *CheckContext) expectURI(ex *mcp.Exchange, subject, requested string) {
	if isCollection(contentsOf(ex.Reply.Result)) {
		return
	}
	for _, b := range contentsOf(ex.Reply.Result) {
		if uri, ok := schema.Text(At(b.raw, "/uri")); ok &&
			!strings.HasPrefix(comparableURI(uri), strings.TrimSuffix(comparableURI(requested), "/")) {
			p.Report(Evidence{Subject: subject, Exchange: ex, Pointer: b.pointer + "/uri"},
				"uri of the contents is %s, expected that of the resource or of a part of it", quoted(uri))
		}
	}
}

// comparableURI returns a URI as it is compared: without percent-encoding, and in lower case, which many schemes and hosts
// ignore.
func comparableURI(uri string) string {
	if plain, err := url.PathUnescape(uri); err == nil {
		uri = plain
	}
	return strings.ToLower(uri)
}

// isCollection reports whether there are several contents, each with another URI.
func isCollection(contents []block) bool {
	seen := map[string]bool{}
	for _, b := range contents {
		seen[schema.TextAt(b.raw, "/uri")] = true
	}
	return len(seen) > 1 && len(seen) == len(contents)
}
