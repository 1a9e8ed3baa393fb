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
		Doc: `unparsable message should fail with -32700

The code means that the bytes were invalid, not the request. JSON-RPC reserves it for this case. A missing response is
tolerated; another code is wrong.`,
	},
	Disruptive: true,
	Scratch:    true,
	Run: func(ctx context.Context, p *Pass) error {
		return p.refusal(ctx, `{"jsonrpc":"2.0","id":1,"method":`, "message that is not JSON", mcp.CodeParse)
	},
}

// refusal sends a frame that is not a request and expects a specific code, if there is a response at all.
func (p *Pass) refusal(ctx context.Context, body, what string, codes ...int64) error {
	frames, err := p.answersTo(ctx, body)
	if err != nil {
		return err
	}
	for _, f := range frames {
		m := mcp.Read(f)
		switch {
		case m.IsResponse() && m.Error == nil:
			p.Report(Seen{Subject: what, Frames: []wire.Frame{f}}, "%s: got a result, expected error %d", what, codes[0])
		case m.Error != nil && !slices.Contains(codes, m.Error.Code):
			p.Report(Seen{Subject: what, Frames: []wire.Frame{f}}, "%s: got %v, expected error %d", what, m.Error, codes[0])
		}
	}
	return nil
}

// answersTo sends a body that has no matchable response and returns the frames that follow it.
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
		return nil, p.Skip("server did not continue; see RPC-005")
	}
	p.Silence(ctx)
	return p.repliesTo(sent), nil
}
