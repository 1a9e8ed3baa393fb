package conform

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/calls"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// maxOddTools is how many tools are called with odd arguments.
const maxOddTools = 3

// oddArguments calls working tools with arguments that are not allowed. A tool that requires an argument must not run,
// and after each call the same tool must work as before.
func (p *CheckContext) oddArguments(ctx context.Context, params func(Tool) []json.RawMessage, what string) error {
	tools, s, err := p.scratchTools(ctx)
	if err != nil {
		return err
	}
	for _, t := range tools {
		for _, odd := range params(t) {
			ex, err := p.CallIn(ctx, s, "tools/call", odd)
			if err != nil {
				p.Report(Evidence{Subject: t.Name, Led: true}, "%s: expected an error, got no response: %s", what,
					clip.Text(wire.Reason(err), 200))
				return nil
			}
			p.oddOutcome(t, ex, what)
			if p.poisoned(ctx, s, t, ex, what) {
				return nil
			}
		}
	}
	return nil
}

// oddOutcome checks the response to a call with odd arguments.
func (p *CheckContext) oddOutcome(t Tool, ex *mcp.Exchange, what string) {
	seen := Evidence{Subject: t.Name, Exchange: ex, Led: true}
	given := At(ex.Request.Params, "/arguments")
	if given != nil {
		what += " (" + show(given) + ")"
	}
	refused := hasFailed(ex)
	switch {
	case !refused && requiresArgument(t):
		p.once(seen, "%s: expected -32602 or isError, since the tool requires arguments, got a result", what)
	case !refused && given != nil:
		p.onceAs(finding.Warning, seen, "%s: expected -32602 or isError, got a result", what)
	case given == nil && ex.Reply.Error != nil && ex.Reply.Error.Code == mcp.CodeInternal:
		p.Warn(seen, "%s: expected -32602 or isError, got error %d: %s", what, ex.Reply.Error.Code,
			errorLine(ex.Reply.Error))
	case refused && given == nil && acceptsNoArguments(t) && !limitsCalls(ex):
		p.Warn(seen, "%s: expected the same result as with \"arguments\": {}, since the tool requires none, got %s", what,
			outcomeOf(ex))
	}
}

// limitsCalls reports whether an error says that there were too many calls.
func limitsCalls(ex *mcp.Exchange) bool {
	return exposure.LimitsCalls(errorMessage(ex) + textsOf(ex.Reply.Result))
}

// poisoned reports whether a tool that worked before no longer does. A call without a response is repeated, since a busy machine can be
// slow once; a rate limit is none of it.
func (p *CheckContext) poisoned(ctx context.Context, s *mcp.Session, t Tool, odd *mcp.Exchange, what string) bool {
	call := func() (*mcp.Exchange, error) {
		return p.CallIn(ctx, s, "tools/call", mcp.Object("name", t.Name, "arguments", t.Arguments))
	}
	ex, err := call()
	var late *mcp.TimeoutError
	if errors.As(err, &late) && ctx.Err() == nil {
		ex, err = call()
	}
	seen := Evidence{Subject: t.Name, Exchange: ex, Led: true}
	if odd != nil {
		seen.Frames = append(seen.Frames, odd.Request.Frame)
	}
	switch {
	case err != nil:
		seen.Exchange = nil
		p.Report(seen, "after %s, a valid call of the same tool: expected a result, got no response: %s", what,
			clip.Text(wire.Reason(err), 200))
	case hasFailed(ex) && !limitsCalls(ex):
		p.Report(seen, "after %s, a valid call of the same tool: expected a result, got %s", what, outcomeOf(ex))
	default:
		return false
	}
	return true
}

// quick lists the callable tools whose sample call gets a response immediately.
func (p *CheckContext) quick(ctx context.Context) ([]CallResult, error) {
	done, err := p.Called(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(done), func(c CallResult) bool {
		return p.round.limited(c.Name) || p.isSlow(c.Exchange.Elapsed)
	}), nil
}

// working lists the callable tools whose sample call returned a result immediately.
func (p *CheckContext) working(ctx context.Context) ([]Tool, error) {
	done, err := p.quick(ctx)
	if err != nil {
		return nil, err
	}
	var some []Tool
	for _, c := range done {
		if c.Result() != nil && !c.Failed() && !causedRequest(c) {
			some = append(some, c.Tool)
		}
	}
	if len(some) == 0 {
		return nil, p.Skip("no callable tool returned a result immediately")
	}
	return some, nil
}

// scratchTools are the first tools that work, and a session for what may break it.
func (p *CheckContext) scratchTools(ctx context.Context) ([]Tool, *mcp.Session, error) {
	tools, err := p.working(ctx)
	if err != nil {
		return nil, nil, err
	}
	s, err := p.Scratch(ctx)
	return tools[:min(len(tools), maxOddTools)], s, err
}

// requiresArgument reports whether a tool requires an argument that has no default.
func requiresArgument(t Tool) bool {
	required, _ := schema.Elements(At(t.Definition, "/inputSchema/required"))
	for _, raw := range required {
		name, _ := schema.Text(raw)
		if At(t.Definition, "/inputSchema/properties/"+schema.Token(name)+"/default") == nil {
			return true
		}
	}
	return false
}

// acceptsNoArguments reports whether the schema of a tool accepts an empty object. A tool that lists no required arguments
// may still require some, such as one of the alternatives of a oneOf.
func acceptsNoArguments(t Tool) bool {
	if requiresArgument(t) {
		return false
	}
	compiled, err := schema.Compile(At(t.Definition, "/inputSchema"), nil)
	return err == nil && len(compiled.Validate(json.RawMessage("{}"))) == 0
}

// outcomeOf describes a response in a few words.
func outcomeOf(ex *mcp.Exchange) string {
	switch {
	case ex.Reply.Error != nil:
		return fmt.Sprintf("error %d: %s", ex.Reply.Error.Code, errorLine(ex.Reply.Error))
	case calls.IsError(ex.Reply.Result):
		return "isError: " + clip.Text(textsOf(ex.Reply.Result), 120)
	}
	return "a result"
}
