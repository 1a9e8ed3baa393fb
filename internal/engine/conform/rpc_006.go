package conform

import (
	"context"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var rpc006 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-006",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic#error-responses"),
		Doc: `What cannot be read is refused with -32700.

The code tells the sender that its bytes were bad, and not its request. JSON-RPC reserves it for this. Silence is tolerated;
another code is not what was meant.`,
	},
	Disruptive: true,
	Scratch:    true,
	Run: func(ctx context.Context, p *Pass) error {
		return p.refusal(ctx, `{"jsonrpc":"2.0","id":1,"method":`, "a message that is no JSON", mcp.CodeParse)
	},
}

// refusal sends what is no request and wants a certain code, if there is an answer at all.
func (p *Pass) refusal(ctx context.Context, body, what string, codes ...int64) error {
	frames, err := p.answersTo(ctx, body)
	if err != nil {
		return err
	}
	for _, f := range frames {
		m := mcp.Read(f)
		switch {
		case m.IsResponse() && m.Error == nil:
			p.Report(Seen{Subject: what, Frames: []wire.Frame{f}}, "%s was answered with a result; want error %d", what, codes[0])
		case m.Error != nil && !slices.Contains(codes, m.Error.Code):
			p.Report(Seen{Subject: what, Frames: []wire.Frame{f}}, "%s was answered with %v; want error %d", what, m.Error, codes[0])
		}
	}
	return nil
}

// answersTo sends a body that nothing can be awaited for and returns what comes on its account.
func (p *Pass) answersTo(ctx context.Context, body string) ([]wire.Frame, error) {
	if placeOf(p.Target.Transport()) == OnHTTP {
		v, err := p.Visit(ctx)
		if err != nil {
			return nil, err
		}
		a, err := v.Post(ctx, nil, body)
		if err != nil {
			return nil, err
		}
		return []wire.Frame{a.Got}, nil
	}
	s, err := p.Scratch(ctx)
	if err != nil {
		return nil, err
	}
	sent, err := p.Throw(ctx, s, body)
	if err != nil {
		return nil, err
	}
	if _, err := p.Alive(ctx, s); err != nil {
		return nil, p.Skip("the server did not go on after it; RPC-005 tells")
	}
	p.Silence(ctx)
	return p.repliesTo(sent), nil
}
