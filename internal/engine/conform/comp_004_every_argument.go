package conform

import (
	"context"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var comp004 = &Check{
	Rule: finding.Rule{
		ID:       "COMP-004",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/utilities/completion"),
		Doc: `completion of a declared argument must not fail

A host requests values while a user types, for each prompt argument and each variable of a resource template. A server
that has no values returns an empty list. One that fails internally shows the user an error at every keystroke.`,
	},
	Since: spec.March2025,
	Needs: "completions",
	Run: func(ctx context.Context, p *CheckContext) error {
		tried := 0
		for _, one := range p.completions(ctx) {
			tried++
			ex, err := p.Call(ctx, "completion/complete", one)
			if err != nil {
				return err
			}
			if refusal := ex.Reply.Error; refusal != nil && (refusal.Code == mcp.CodeInternal || failsInside(refusal)) {
				p.Report(Evidence{Subject: schema.TextAt(one, "/argument/name"), Exchange: ex},
					"completion of %s: expected values, got error %d: %s", quoted(schema.TextAt(one, "/argument/name")),
					refusal.Code, errorLine(refusal))
			}
		}
		if tried == 0 {
			return p.Skip("no argument to complete")
		}
		return nil
	},
}

// completions returns completion requests for prompt arguments and template variables, with an empty value, with one
// letter, and with a parenthesis, which a server that builds a regular expression from it cannot use.
func (p *CheckContext) completions(ctx context.Context) []json.RawMessage {
	var all []json.RawMessage
	add := func(ref json.RawMessage, name string) {
		for _, typed := range []string{"", "a", "(a"} {
			if name != "" && len(all) < 3*maxCompleted {
				all = append(all, mcp.Object("ref", ref, "argument", mcp.Object("name", name, "value", typed)))
			}
		}
	}
	if p.round.offers("prompts") {
		list, err := p.Offered(ctx, "prompts/list")
		for _, item := range itemsOf(list, err) {
			arguments, _ := schema.Elements(At(item.Raw, "/arguments"))
			for _, a := range arguments {
				add(mcp.Object("type", "ref/prompt", "name", item.Name), schema.TextAt(a, "/name"))
			}
		}
	}
	if p.round.offers("resources") {
		list, err := p.Offered(ctx, "resources/templates/list")
		for _, item := range itemsOf(list, err) {
			for _, found := range variable().FindAllStringSubmatch(item.Name, 3) {
				add(mcp.Object("type", "ref/resource", "uri", item.Name), found[1])
			}
		}
	}
	return all
}

// itemsOf returns the items of a list; none if it could not be read.
func itemsOf(list *mcp.List, err error) []mcp.Item {
	if err != nil {
		return nil
	}
	return list.Items
}

// maxCompleted is how many arguments are completed.
const maxCompleted = 5

// variable matches a variable of a URI template.
var variable = lazyregexp.New(`\{[+#./;?&]?([A-Za-z0-9_]+)`)
