package conform

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool044 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-044",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-result"),
		Doc: `omitted argument should not appear as undefined or None in the result

A call without an optional argument returned a text with the word undefined, None, null, nil or NaN where a call with the
argument has its value. The model reads the word as a value. Give the argument a default, or leave the part out.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.Called(ctx)
		if err != nil {
			return err
		}
		for _, c := range done {
			if c.Result() == nil || c.Failed() || p.round.limited(c.Name) {
				continue
			}
			for _, name := range optionalProperties(c.Definition) {
				if err := p.omitted(ctx, c, name); err != nil {
					return err
				}
			}
		}
		return nil
	},
}

// absentWords matches what languages print for a missing value.
var absentWords = lazyregexp.New(`None|undefined|null|nil|NaN|<no value>`)

// omitted calls a tool without an argument, and with it if the text then contains a word for a missing value.
func (p *CheckContext) omitted(ctx context.Context, c CallResult, name string) error {
	at := "/" + schema.Token(name)
	arguments, without := c.Arguments, c.Exchange
	if At(c.Arguments, at) != nil {
		var err error
		if arguments, err = schema.Apply(c.Arguments, []finding.Edit{{Pointer: at}}); err != nil {
			return nil
		}
		if without, err = p.Call(ctx, "tools/call", mcp.Object("name", c.Name, "arguments", arguments)); err != nil {
			return err
		}
	}
	if !absentWords().MatchString(textsOf(without.Reply.Result)) {
		return nil
	}
	property := declaredArgument(c.Definition, name)
	value, err := schema.Sample(property, &schema.SampleOptions{Style: schema.Typical})
	if err != nil || At(property, "/default") != nil {
		return nil
	}
	shown, isText := schema.Text(value)
	if !isText {
		shown = string(value)
	}
	with, err := p.Call(ctx, "tools/call",
		mcp.Object("name", c.Name, "arguments", withArgument(c.Tool, arguments, name, string(value))))
	if err != nil || shown == "" {
		return err
	}
	word := placeholder(textsOf(without.Reply.Result), textsOf(with.Reply.Result), shown, name)
	if word == "" {
		for _, one := range absentWords().FindAllString(textsOf(without.Reply.Result), 5) {
			if strings.Replace(textsOf(without.Reply.Result), one, shown, 1) == textsOf(with.Reply.Result) {
				word = one
			}
		}
	}
	if word != "" {
		p.once(Evidence{Subject: c.Name, Exchange: without, Pointer: "/content"},
			"the optional argument %s was omitted: expected a text without it, got %s in its place", quoted(name), word)
	}
	return nil
}

// optionalProperties returns the arguments of a tool that may be omitted.
func optionalProperties(tool json.RawMessage) []string {
	var required []string
	_ = json.Unmarshal(At(tool, "/inputSchema/required"), &required) // lint reports another type
	return slices.DeleteFunc(namesIn(At(tool, "/inputSchema/properties")),
		func(name string) bool { return slices.Contains(required, name) })
}
