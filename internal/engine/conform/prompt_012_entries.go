package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var prompt012 = &Check{
	Rule: finding.Rule{
		ID:       "PROMPT-012",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/prompts#prompt"),
		Doc: `each entry of prompts/list must be a valid prompt

A prompt without a name, or with a field of the wrong type, makes typed clients reject the whole list or silently drop
the entry. Give each field the type that the revision defines.`,
	},
	Needs: "prompts",
	Run: func(ctx context.Context, p *CheckContext) error {
		return p.soundEntries(ctx, "prompts/list")
	},
}
