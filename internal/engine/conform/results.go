package conform

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// structured lists the successful calls of tools with an outputSchema.
func (p *CheckContext) structured(ctx context.Context) ([]CallResult, error) {
	all, err := p.Called(ctx)
	if err != nil {
		return nil, err
	}
	var some []CallResult
	for _, c := range all {
		if At(c.Definition, "/outputSchema") != nil && c.Result() != nil && !c.Failed() {
			some = append(some, c)
		}
	}
	if len(some) == 0 {
		return nil, p.Skip("no tool with an outputSchema was called successfully")
	}
	return some, nil
}

// outputOf returns the compiled outputSchema of a tool; nil if it has no valid one.
func (p *CheckContext) outputOf(tool string) *schema.Schema {
	for _, item := range p.round.listed() {
		if raw := At(item.Raw, "/outputSchema"); item.Name == tool && raw != nil {
			compiled, err := schema.Compile(raw, &schema.Options{Dialect: p.Revision.Dialect})
			if err == nil {
				return compiled
			}
		}
	}
	return nil
}

// sentIn reports whether a text appears in the request that a response is for.
func sentIn(s observation, text string) bool {
	raw, _ := json.Marshal(text) // marshaling a string never fails
	return strings.Contains(string(s.frames[0].Body), strings.Trim(string(raw), `"`))
}

// knownType expects a result to have a known resultType. A missing type is reported with the schema of the message.
func (p *CheckContext) knownType(subject string, ex *mcp.Exchange) {
	kind, ok := schema.Text(At(ex.Reply.Result, "/resultType"))
	if ok && !slices.Contains([]string{"complete", "input_required", "task"}, kind) {
		p.Report(Evidence{Subject: subject, Exchange: ex, Pointer: "/resultType"},
			"resultType is %s, expected complete, input_required or one of an extension", quoted(kind))
	}
}
