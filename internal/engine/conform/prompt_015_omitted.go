package conform

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
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
			for _, name := range optionalArguments(g.Item) {
				const mark = "mcptest-value"
				with, err := schema.Apply(g.Arguments,
					[]finding.Edit{{Pointer: "/" + schema.Token(name), Value: json.RawMessage(`"` + mark + `"`)}})
				if err != nil {
					continue
				}
				ex, err := p.Call(ctx, "prompts/get", mcp.Object("name", g.Item.Name, "arguments", with))
				if err != nil {
					return err
				}
				if word := placeholder(promptText(g.Exchange.Reply.Result), promptText(ex.Reply.Result), mark, name); word != "" {
					p.Report(Evidence{Subject: g.Item.Name, Exchange: g.Exchange, Pointer: "/messages"},
						"the optional argument %s was omitted: expected a text without it, got %s in its place", quoted(name), word)
				}
			}
		}
		return p.orNotRendered(got, err)
	},
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
