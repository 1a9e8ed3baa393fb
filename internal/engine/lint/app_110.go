package lint

import (
	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var app110 = &Rule{
	Rule: finding.Rule{
		ID:       "APP-110",
		Severity: finding.Warning,
		Spec:     appsSpec,
		Doc: `view loads from an origin that its csp does not allow

The policy of a view blocks everything that is not declared: a script from a CDN, a font, an image or a request leaves
the view blank or incomplete, without an error in the host. The check finds what the HTML names; it does not run
scripts.

Add the origin to the list that the finding names, or include the file in the HTML.`,
	},
	Entry: func(p *Pass) {
		html, ok := p.viewDocument()
		if !ok {
			return
		}
		csp, declared := schema.Get(p.Entry.Raw, "/_meta/ui/csp")
		if listed := p.Listed(p.Entry.URI); !declared && listed != nil {
			csp, _ = schema.Get(listed.Raw, "/_meta/ui/csp")
		}
		for _, load := range apps.Loads(html) {
			if !apps.Allows(csp, load.List, load.Origin) {
				p.Report("/text", "the view loads from %s (%s), which its csp does not allow, expected the origin in _meta.ui.csp.%s",
					clip.Text(load.Origin, 100), load.From, load.List)
			}
		}
	},
}
