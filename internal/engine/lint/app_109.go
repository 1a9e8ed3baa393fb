package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var app109 = &Rule{
	Rule: finding.Rule{
		ID:       "APP-109",
		Severity: finding.Warning,
		Spec:     appsSpec,
		Doc: `view without csp in the list or in its content

Hosts build the content security policy of a view from _meta.ui.csp. Some read only the entry of resources/list, others
only the contents of resources/read: if it is in one place only, the frame stays blank in the others. A file with one of
the two gives information only.

Set _meta.ui.csp, {} if the view loads nothing, both when you register the resource and in the contents that it returns.`,
	},
	Entry: func(p *Pass) {
		if _, has := schema.Get(p.Entry.Raw, "/_meta/ui/csp"); has || !p.Entry.IsView() {
			return
		}
		other, place := p.Content(p.Entry.URI), "its entry of resources/list"
		if p.Entry.Kind == ContentEntry {
			other, place = p.Listed(p.Entry.URI), "the contents of the view"
		}
		if other != nil {
			if _, has := schema.Get(other.Raw, "/_meta/ui/csp"); has {
				p.Report("/_meta/ui", "csp is missing in %s, and declared elsewhere, expected it in both", place)
				return
			}
		}
		p.Inform("/_meta/ui", "csp is missing in %s, expected _meta.ui.csp, {} if the view loads nothing", place)
	},
}
