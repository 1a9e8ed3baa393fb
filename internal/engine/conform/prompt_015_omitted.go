package conform

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var prompt015 = &Check{
	Rule: finding.Rule{
		ID:       "PROMPT-015",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/prompts#getting-a-prompt"),
		Doc: `omitted prompt argument should not appear as None or undefined

If an optional argument is omitted, the text of the prompt contains a word such as None, undefined, null or "no value" in its
place, or the placeholder of the template. The model reads it as a value. Insert the argument only if it was given, or give it a default.`,
	},
	Needs: "prompts",
	Run: func(ctx context.Context, p *CheckContext) error {
		got, err := p.Got(ctx)
		for _, g := range got {
			if g.Exchange.Reply.Error != nil {
				continue
			}
			names := optionalArguments(g.Item)
			for i, name := range names {
				given, err := p.compareOmitted(ctx, g.Item, g.Arguments, g.Exchange, name)
				if err != nil {
					return err
				}
				if given == nil || i >= maxOptionals {
					continue
				}
				// a prompt may have words for no argument at all, and forget that only some are given
				arguments := At(given.Request.Params, "/arguments")
				for _, other := range names[:min(len(names), maxOptionals)] {
					if other == name {
						continue
					}
					if _, err := p.compareOmitted(ctx, g.Item, arguments, given, other); err != nil {
						return err
					}
				}
			}
		}
		return p.orNotRendered(got, err)
	},
}

// maxOptionals is how many optional arguments of a prompt are omitted beside another one that is given.
const maxOptionals = 3

// compareOmitted reports a word for an optional argument in a prompt without it, which is there because it is omitted. It returns the
// prompt with the argument; nil if there is none.
func (p *CheckContext) compareOmitted(ctx context.Context, prompt mcp.Item, arguments json.RawMessage, without *mcp.Exchange,
	name string) (*mcp.Exchange, error) {
	mark := "mcptest-value-of-" + name
	with, err := schema.Apply(arguments, []finding.Edit{{Pointer: "/" + schema.Token(name), Value: rawjson.Quote(mark)}})
	if err != nil {
		return nil, nil
	}
	ex, err := p.Call(ctx, "prompts/get", mcp.Object("name", prompt.Name, "arguments", with))
	if err != nil || ex.Reply.Error != nil {
		return nil, err
	}
	if word := placeholder(promptText(without.Reply.Result), promptText(ex.Reply.Result), mark, name); word != "" {
		p.once(Evidence{Subject: prompt.Name, Exchange: without, Pointer: "/messages"},
			"the optional argument %s was omitted: expected a text without it, got %s in its place", quoted(name), word)
	}
	return ex, nil
}

// placeholder is what a text has where another text has a mark, if it stands for a missing value; else it is empty.
func placeholder(without, with, mark, name string) string {
	if !strings.Contains(with, mark) {
		return ""
	}
	for _, word := range []string{"None", "undefined", "null", "nil", "<nil>", "<no value>", "NaN", "{" + name + "}", "{{" + name + "}}",
		"{{ " + name + " }}", "${" + name + "}", "%(" + name + ")s"} {
		if strings.ReplaceAll(with, mark, word) == without {
			return word
		}
	}
	return ""
}

// optionalArguments are the names of the arguments of a prompt that may be omitted.
func optionalArguments(prompt mcp.Item) []string {
	var all []string
	arguments, _ := schema.Elements(At(prompt.Raw, "/arguments"))
	for _, a := range arguments {
		if name := schema.TextAt(a, "/name"); name != "" && string(At(a, "/required")) != "true" {
			all = append(all, name)
		}
	}
	return all
}
