package lint

import (
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
)

var app112 = &Rule{
	Rule: finding.Rule{
		ID:       "APP-112",
		Severity: finding.Warning,
		Spec:     appsSpec,
		Doc: `view that embeds other pages

Not every host supports frameDomains: claude.ai ignored it until at least May 2026, so that the embedded page stays
empty.

Show the content without an iframe, or a link (ui/open-link) where the page cannot be embedded.`,
	},
	Entry: func(p *Pass) { p.reportSettings(apps.FrameProblems) },
}
