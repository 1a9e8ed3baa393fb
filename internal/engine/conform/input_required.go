package conform

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// resumed repeats a suspended call with a response to every input request; change may alter the params.
func (p *CheckContext) resumed(ctx context.Context, s *mcp.Session, c CallResult,
	change func([]finding.Edit) []finding.Edit) (*mcp.Exchange, error) {
	answers := []any{}
	for _, q := range questionsOf(c) {
		answers = append(answers, q.Key, responseTo(q))
	}
	edits := []finding.Edit{{Pointer: "/inputResponses", Value: mcp.Object(answers...)}}
	if state := At(c.Exchange.Reply.Result, "/requestState"); state != nil {
		edits = append(edits, finding.Edit{Pointer: "/requestState", Value: state})
	}
	if change != nil {
		edits = change(edits)
	}
	params, err := schema.Apply(mcp.Object("name", c.Name, "arguments", c.Arguments), edits)
	if err != nil {
		return nil, err
	}
	return p.CallIn(ctx, s, "tools/call", params)
}

// outcome describes the response to a request.
func outcome(ex *mcp.Exchange) string {
	if refusal := ex.Reply.Error; refusal != nil {
		return fmt.Sprintf("error %d: %s", refusal.Code, errorLine(refusal))
	}
	if kind := schema.TextAt(ex.Reply.Result, "/resultType"); kind != "" {
		return "a result of type " + quoted(kind)
	}
	return "a result"
}

// responseTo returns what a client would respond: the user completes the form, the model returns a word, and there are
// no roots.
func responseTo(q Question) json.RawMessage {
	switch q.Method {
	case "sampling/createMessage":
		return json.RawMessage(`{"role":"assistant","content":{"type":"text","text":"ok"},"model":"none",` +
			`"stopReason":"endTurn"}`)
	case "roots/list":
		return json.RawMessage(`{"roots":[]}`)
	}
	content, err := schema.Sample(At(q.Params, "/requestedSchema"), nil)
	if err != nil {
		return json.RawMessage(`{"action":"decline"}`)
	}
	return mcp.Object("action", "accept", "content", content)
}
