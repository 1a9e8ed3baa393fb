package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var app002 = &Check{
	Rule: finding.Rule{
		ID:       "APP-002",
		Severity: finding.Error,
		Spec:     appsSpec,
		Doc: `view must have its own URI and the type text/html;profile=mcp-app

A host compares the type as text. With text/html, or with the older text/html+skybridge of ChatGPT, it does not show the
view.

Set mimeType to text/html;profile=mcp-app (RESOURCE_MIME_TYPE of the SDK), in the contents of resources/read too, and
return the URI that was requested.`,
	},
	Since: spec.June2025,
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		return p.eachRead(ctx, func(v appView, content json.RawMessage) {
			at := Evidence{Subject: v.URI, Exchange: v.Read, Pointer: "/contents/0/mimeType"}
			if kind := At(content, "/mimeType"); string(kind) != `"`+mcp.ViewType+`"` {
				p.Report(at, "mimeType of the view is %s, expected %q", show(kind), mcp.ViewType)
			}
			if uri := At(content, "/uri"); schema.TextAt(content, "/uri") != v.URI {
				at.Pointer = "/contents/0/uri"
				p.Report(at, "uri of the contents is %s, expected %s", show(uri), quoted(v.URI))
			}
		})
	},
}
