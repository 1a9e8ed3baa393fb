package conform

import (
	"context"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var prompt005 = &Check{
	Rule: finding.Rule{
		ID:       "PROMPT-005",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/prompts#prompt"),
		Doc: `prompt names and argument names should be unique

A prompt is identified by its name, and its arguments by theirs. If two names are equal, a client can use only one of
them.

Rename one of them. If a page of the list repeats prompts of an earlier one, let it start after the last prompt of the page before.`,
	},
	Needs: "prompts",
	Run: func(ctx context.Context, p *CheckContext) error {
		list, err := p.Offered(ctx, "prompts/list")
		if err != nil {
			return err
		}
		for _, item := range list.Items {
			seen := map[string]bool{}
			arguments, _ := schema.Elements(At(item.Raw, "/arguments"))
			for i, a := range arguments {
				name := schema.TextAt(a, "/name")
				if seen[name] {
					p.Report(Evidence{Subject: item.Name, Pointer: fmt.Sprintf("/arguments/%d/name", i),
						Exchange: pageOf(list, item)}, "duplicate argument %s, expected unique names", quoted(name))
				}
				seen[name] = true
			}
		}
		return p.unique(ctx, "prompts/list", "prompt")
	},
}
