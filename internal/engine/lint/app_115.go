package lint

import (
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var app115 = &Rule{
	Rule: finding.Rule{
		ID:       "APP-115",
		Severity: finding.Warning,
		Spec:     appsSpec,
		Doc: `view of more than 2 MB

Hosts read the whole document before they show it, for each call, and some limit its size: Mattermost to 4 MiB.

Minify the bundle, remove source maps and unused libraries, and load large data with a tool call.`,
	},
	Entry: func(p *Pass) {
		const limit = 2_000_000
		pointer, size := "/text", 0
		if html, ok := p.viewDocument(); ok {
			size = len(html)
		} else if raw, has := schema.Get(p.Entry.Raw, "/size"); has && p.Entry.IsView() {
			pointer = "/size"
			size, _ = strconv.Atoi(string(raw))
		}
		if size > limit {
			p.Report(pointer, "the view has %.1f MB, expected at most 2 MB", float64(size)/1e6)
		}
	},
}
