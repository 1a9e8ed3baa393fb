package conform

import (
	"context"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var tool045 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-045",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-result"),
		Doc: `result should fit into the context of a model

The texts of the result take more than 100,000 tokens. Many hosts cut a result at 25,000 tokens or less, or end the
conversation with an error. Return fewer items with a limit and a cursor, a summary, or a link to a resource.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		if _, err := p.Called(ctx); err != nil {
			return err
		}
		for _, large := range p.round.validator.largest() {
			if large.tokens > maxResultTokens {
				p.once(Evidence{Subject: schema.TextAt(large.request.Body, "/params/name"), Pointer: "/content",
					Frames: []wire.Frame{large.request}}, "result of %d KB takes about %d tokens: expected at most %d",
					large.bytes/1000, large.tokens/1000*1000, maxResultTokens)
			}
		}
		return nil
	},
}

// Limits of results.
const (
	maxResultTokens = 100_000 // half of what most models read in a conversation
	maxLarge        = 20      // large results that are measured
)

// A largeResult is the size of a result, and its request.
type largeResult struct {
	request wire.Frame
	bytes   int
	tokens  int // of its texts and structuredContent, estimated
}

// largest lists the large results, the largest first.
func (j *frameValidator) largest() []largeResult {
	j.mu.Lock()
	defer j.mu.Unlock()
	all := slices.Clone(j.large)
	slices.SortStableFunc(all, func(a, b largeResult) int { return b.tokens - a.tokens })
	return all
}
