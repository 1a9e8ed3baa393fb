package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var res016 = &Check{
	Rule: finding.Rule{
		ID:       "RES-016",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/resources#error-handling"),
		Doc: `similar URI should not return the contents of a resource

A URI with more characters at its end, or with letters of the other case in its path, returned the contents of a listed
resource. The server compares only the start of a URI, or ignores case. A client that asks for another resource gets the
wrong one, and a check of allowed URIs can be bypassed. Compare whole URIs.`,
	},
	Needs: "resources",
	Run: func(ctx context.Context, p *CheckContext) error {
		reads, err := p.Reads(ctx)
		for _, r := range reads {
			contents := valuesOf(r.Exchange.Reply.Result)
			if contents == "" {
				continue
			}
			for _, uri := range similarURIs(r.Item.Name) {
				ex, err := p.Call(ctx, "resources/read", mcp.Object("uri", uri))
				if err != nil {
					return err
				}
				if ex.Reply.Error == nil && valuesOf(ex.Reply.Result) == contents {
					p.Report(Evidence{Subject: r.Item.Name, Exchange: ex},
						"reading %s, which is not listed, returned the contents of this resource: expected an error",
						quoted(uri))
					break
				}
			}
		}
		return err
	},
}

// similarURIs returns URIs that begin like a URI, or differ from it in the case of letters where case matters.
func similarURIs(uri string) []string {
	all := []string{uri + "-mcptest"}
	scheme, rest, _ := strings.Cut(uri, "://")
	if scheme == "file" || strings.HasPrefix(scheme, "http") {
		return all // the file system or the web server decides about case
	}
	at := strings.LastIndexByte(rest, '/') + 1
	other := strings.ToUpper(rest[at:])
	if other == rest[at:] {
		other = strings.ToLower(other)
	}
	if other != rest[at:] {
		all = append(all, scheme+"://"+rest[:at]+other)
	}
	return all
}

// valuesOf returns the texts and binary data of the contents of a resource.
func valuesOf(result []byte) string {
	var all strings.Builder
	for _, b := range contentsOf(result) {
		all.WriteString(schema.TextAt(b.raw, "/text") + schema.TextAt(b.raw, "/blob"))
	}
	return all.String()
}
