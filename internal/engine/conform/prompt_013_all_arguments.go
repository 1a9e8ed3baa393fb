package conform

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var prompt013 = &Check{
	Rule: finding.Rule{
		ID:       "PROMPT-013",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/prompts#getting-a-prompt"),
		Doc: `prompt must work with all arguments and with only the required ones

Hosts show a form for the arguments of a prompt, and users leave optional ones empty or complete all of them. A prompt
that works one way and fails internally the other way was only tested one way. The same holds for a prompt that requires no
argument: clients may omit the property "arguments" as well as send an empty object. If the error shows no exception, the finding is a
warning.`,
	},
	Needs: "prompts",
	Run: func(ctx context.Context, p *CheckContext) error {
		got, err := p.Got(ctx)
		for _, g := range got {
			all, optional := everyArgument(g)
			if refusal := g.Exchange.Reply.Error; refusal != nil && failsInside(refusal) &&
				requiredArgument(g.Item) != "" {
				p.Report(Evidence{Subject: g.Item.Name, Exchange: g.Exchange},
					"prompt with only its required arguments: expected messages, got error %d: %s", refusal.Code,
					errorLine(refusal))
			}
			if err := p.omitArguments(ctx, g); err != nil {
				return err
			}
			if !optional {
				continue
			}
			ex, err := p.Call(ctx, "prompts/get", mcp.Object("name", g.Item.Name, "arguments", all))
			if err != nil {
				return err
			}
			if refusal := ex.Reply.Error; refusal != nil && failsInside(refusal) {
				p.Report(Evidence{Subject: g.Item.Name, Exchange: ex},
					"prompt with all its arguments: expected messages, got error %d: %s", refusal.Code,
					errorLine(refusal))
			}
		}
		return p.orNotRendered(got, err)
	},
}

// omitArguments reports a prompt that works with an empty object of arguments and fails without the object.
func (p *CheckContext) omitArguments(ctx context.Context, g Read) error {
	if g.Exchange.Reply.Error != nil || requiredArgument(g.Item) != "" {
		return nil
	}
	ex, err := p.Call(ctx, "prompts/get", mcp.Object("name", g.Item.Name))
	if err != nil || ex.Reply.Error == nil {
		return err
	}
	again, err := p.Call(ctx, "prompts/get", mcp.Object("name", g.Item.Name, "arguments", mcp.Object()))
	if err != nil || again.Reply.Error != nil {
		return err // it fails for another reason
	}
	severity := finding.Warning
	if failsInside(ex.Reply.Error) {
		severity = finding.Error
	}
	p.report(severity, Evidence{Subject: g.Item.Name, Exchange: ex},
		"prompt without required arguments, requested without arguments: expected messages as for {}, got error %d: %s",
		ex.Reply.Error.Code, errorLine(ex.Reply.Error))
	return nil
}

// everyArgument returns a text for each argument of a prompt; optional reports whether one of them is not required.
func everyArgument(g Read) (all json.RawMessage, optional bool) {
	var pairs []any
	arguments, _ := schema.Elements(At(g.Item.Raw, "/arguments"))
	for _, a := range arguments {
		if name := schema.TextAt(a, "/name"); name != "" {
			pairs = append(pairs, name, cmp.Or(schema.TextAt(g.Arguments, "/"+schema.Token(name)), sampleText(name)))
			optional = optional || string(At(a, "/required")) != "true"
		}
	}
	return mcp.Object(pairs...), optional
}
