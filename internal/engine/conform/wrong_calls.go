package conform

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// wrongCalls calls each tool with arguments that wrong derives from its sample, and expects an error. If a tool ignores
// its arguments and is slow, there is no response in time and nothing to check.
func (p *CheckContext) wrongCalls(ctx context.Context, wrong func(Tool) (name string, arguments json.RawMessage), what,
	needs string) error {
	tools, err := p.Callable(ctx)
	if err != nil {
		return err
	}
	tried, unanswered := 0, 0
	for _, t := range tools {
		name, arguments := wrong(t)
		if name == "" || unanswered == maxUnanswered {
			continue
		}
		tried++
		ex, err := p.tryCall(ctx, "tools/call", mcp.Object("name", t.Name, "arguments", arguments))
		if died(err) && p.alive(ctx) {
			unanswered++
			continue
		}
		if err != nil {
			return err
		}
		p.expectRejected(ex, t.Name, fmt.Sprintf(what, quoted(name)))
	}
	if tried == unanswered {
		return p.Skip("no callable tool %s and responds in time", needs)
	}
	return nil
}

// alive reports whether the server responds in the shared session.
func (p *CheckContext) alive(ctx context.Context) bool {
	_, err := p.Alive(ctx, p.shared)
	return err == nil
}

// withoutRequired returns the arguments of a tool without a required one; its name is empty if there is none.
func withoutRequired(t Tool) (name string, arguments json.RawMessage) {
	required, _ := schema.Elements(At(t.Definition, "/inputSchema/required"))
	for _, raw := range required {
		name, _ := schema.Text(raw)
		if property := At(t.Definition, "/inputSchema/properties/"+schema.Token(name)); member(t.Arguments,
			name) == nil || At(property, "/default") != nil {
			continue // a server may use a default
		}
		changed, err := schema.Apply(t.Arguments, []finding.Edit{{Pointer: "/" + schema.Token(name)}})
		if err == nil {
			return name, changed
		}
	}
	return "", nil
}

// maxUnanswered is how many calls with wrong arguments may time out before the rest is skipped.
const maxUnanswered = 2

// expectRejected expects a call with wrong arguments to fail, in the way that the revision defines.
func (p *CheckContext) expectRejected(ex *mcp.Exchange, tool, what string) {
	if ex == nil {
		return // rejected by HTTP
	}
	seen := Evidence{Subject: tool, Exchange: ex}
	switch refusal := ex.Reply.Error; {
	case refusal == nil && string(At(ex.Reply.Result, "/isError")) != "true":
		p.Report(seen, "%s succeeded, expected error -32602 or isError", what)
	// a copy of an argument in a header is checked before the argument itself
	case refusal != nil && refusal.Code == mcp.CodeHeaderMismatch && p.Modern() && p.Target.URL != "":
	case refusal != nil && refusal.Code != mcp.CodeInvalidParams:
		p.Warn(seen, "%s failed with error %d (%s), expected -32602 or isError", what, refusal.Code, errorLine(refusal))
	}
}
