package conform

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool010 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-010",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#security-considerations"),
		Doc: `A call without a required argument is refused.

A server validates its input. A tool that runs without an argument that its own schema requires does something that
nobody asked for. From 2025-11-25 on the refusal should be a result that says isError, so that a model can mend its
call; before, error -32602 was as good.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *Pass) error {
		return p.wrongCalls(ctx, withoutRequired, "a call without the required argument %s", "requires an argument")
	},
}

// mostUnanswered is how many calls with wrong arguments may go without an answer before the rest is left alone.
const mostUnanswered = 2

// wrongCalls calls each tool with arguments that wrong makes of its sample, and wants that refused. Where a tool does not look at
// its arguments and is slow, there is no answer in time and nothing to judge.
func (p *Pass) wrongCalls(ctx context.Context, wrong func(Tool) (name string, arguments json.RawMessage), what, needs string) error {
	tools, err := p.Callable(ctx)
	if err != nil {
		return err
	}
	tried, unanswered := 0, 0
	for _, t := range tools {
		name, arguments := wrong(t)
		if name == "" || unanswered == mostUnanswered {
			continue
		}
		tried++
		ex, err := p.tryCall(ctx, "tools/call", mcp.Object("name", t.Name, "arguments", arguments))
		if died(err) && p.stillThere(ctx) {
			unanswered++
			continue
		}
		if err != nil {
			return err
		}
		p.wantRefused(ex, t.Name, fmt.Sprintf(what, quoted(name)))
	}
	if tried == unanswered {
		return p.Skip("no tool that may be called %s and answers in time", needs)
	}
	return nil
}

// stillThere reports whether the server answers in the shared session.
func (p *Pass) stillThere(ctx context.Context) bool {
	_, err := p.Alive(ctx, p.shared)
	return err == nil
}

// withoutRequired are the arguments of a tool without one that is required; its name is empty if there is none such.
func withoutRequired(t Tool) (name string, arguments json.RawMessage) {
	required, _ := schema.Elements(At(t.Definition, "/inputSchema/required"))
	for _, raw := range required {
		name, _ := schema.Text(raw)
		if property := At(t.Definition, "/inputSchema/properties/"+schema.Token(name)); member(t.Arguments, name) == nil || At(property, "/default") != nil {
			continue // a server may fill in a default
		}
		changed, err := schema.Apply(t.Arguments, []finding.Edit{{Pointer: "/" + schema.Token(name)}})
		if err == nil {
			return name, changed
		}
	}
	return "", nil
}

// wantRefused wants a call with wrong arguments to be refused, in the way of the revision.
func (p *Pass) wantRefused(ex *mcp.Exchange, tool, what string) {
	if ex == nil {
		return // refused by HTTP
	}
	seen := Seen{Subject: tool, Exchange: ex}
	switch refusal := ex.Reply.Error; {
	case refusal == nil && string(At(ex.Reply.Result, "/isError")) != "true":
		p.Report(seen, "%s was answered as if it were right; want a refusal", what)
	case refusal != nil && refusal.Code != mcp.CodeInvalidParams:
		p.Warn(seen, "%s was refused with error %d: %s; want -32602 or a result that says isError", what, refusal.Code, said(refusal))
	}
}
