package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var app009 = &Check{
	Rule: finding.Rule{
		ID:       "APP-009",
		Severity: finding.Warning,
		Spec:     appsSpec,
		Doc: `view should declare csp on the list and on its content

Hosts build the content security policy of a view from _meta.ui.csp. Some read only the entry of resources/list, others
only the contents of resources/read: if it is in one place only, the frame stays blank in the others. ChatGPT asks for
it even if it is empty.

Set _meta.ui.csp, {} if the view loads nothing, both when you register the resource and in the contents that it returns.`,
	},
	Since: spec.June2025,
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		return p.eachRead(ctx, func(v appView, content json.RawMessage) {
			onRead, onList := At(content, "/_meta/ui/csp"), json.RawMessage(nil)
			if v.Listed != nil {
				onList = At(v.Listed.Raw, "/_meta/ui/csp")
			}
			at := Evidence{Subject: v.URI, Exchange: v.Read, Pointer: "/contents/0/_meta/ui"}
			switch {
			case onRead == nil && onList == nil:
				p.inform(at, "the view declares no csp, expected _meta.ui.csp, {} if it loads nothing")
			case onRead == nil:
				p.Report(at, "csp is only in resources/list, expected it also in the contents of the view")
			case onList == nil && v.Listed != nil:
				p.Report(Evidence{Subject: v.URI, Exchange: v.Page, Pointer: "/_meta/ui"},
					"csp is only in the contents of the view, expected it also in its entry of resources/list")
			}
		})
	},
}
