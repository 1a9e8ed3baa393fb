package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var mrtr003 = &Check{
	Rule: finding.Rule{
		ID:       "MRTR-003",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/patterns/mrtr"),
		Doc: `retried call with the requested input must proceed

The client repeats the call with the requested input and the unchanged requestState. The server must continue the call;
it must not reject its own state.`,
	},
	Since: spec.July2026,
	Run: func(ctx context.Context, p *Pass) error {
		done, s, err := p.Suspended(ctx)
		if err != nil {
			return err
		}
		for _, c := range done {
			ex, err := p.resumed(ctx, s, c, nil)
			if err != nil {
				return err
			}
			if refusal := ex.Reply.Error; refusal != nil {
				p.Report(Seen{Subject: c.Name, Exchange: ex}, "call with the requested input and the unchanged requestState failed with error %d: %s, expected it to continue", refusal.Code, said(refusal))
			}
		}
		return nil
	},
}

// resumed repeats a suspended call with a response to every input request; change may alter the params.
func (p *Pass) resumed(ctx context.Context, s *mcp.Session, c Called, change func([]finding.Edit) []finding.Edit) (*mcp.Exchange, error) {
	answers := []any{}
	for _, q := range questionsOf(c) {
		answers = append(answers, q.Key, answerTo(q))
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

// answerTo returns what a client would respond: the user completes the form, the model returns a word, and there are no
// roots.
func answerTo(q Question) json.RawMessage {
	switch q.Method {
	case "sampling/createMessage":
		return json.RawMessage(`{"role":"assistant","content":{"type":"text","text":"ok"},"model":"none","stopReason":"endTurn"}`)
	case "roots/list":
		return json.RawMessage(`{"roots":[]}`)
	}
	content, err := schema.Sample(At(q.Params, "/requestedSchema"), nil)
	if err != nil {
		return json.RawMessage(`{"action":"decline"}`)
	}
	return mcp.Object("action", "accept", "content", content)
}
