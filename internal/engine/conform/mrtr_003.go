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
		Doc: `A call that is made again with the input that it asked for goes on.

The client sends the same call with its answers and the state exactly as it came. The server takes it up where it was
left; it does not refuse its own state.`,
	},
	Since: "2026-07-28",
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
				p.Report(Seen{Subject: c.Name, Exchange: ex}, "the call with the input that was asked for and the state as it came was refused with error %d: %s; want it to go on", refusal.Code, said(refusal))
			}
		}
		return nil
	},
}

// resumed makes a suspended call again with an answer to everything that was asked; change may alter the params.
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

// answerTo is what a client would answer: a person fills in the form, the model says a word, there are no roots.
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
