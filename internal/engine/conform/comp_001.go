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

var comp001 = &Check{
	Rule: finding.Rule{
		ID:       "COMP-001",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/utilities/completion#requesting-completions"),
		Doc: `completion must return at most 100 string values

A host shows the values in a menu while a user types. Values are strings, and there are at most 100 of them.`,
	},
	Since: spec.March2025,
	Needs: "completions",
	Run: func(ctx context.Context, p *Pass) error {
		ex, err := p.completed(ctx)
		if err != nil {
			return err
		}
		values, _ := schema.Elements(At(ex.Reply.Result, "/completion/values"))
		if len(values) > 100 {
			p.Report(Seen{Exchange: ex, Pointer: "/completion/values"}, "%d values, expected at most 100", len(values))
		}
		return nil
	},
}

// completed requests completion of the first available argument, with an empty value.
func (p *Pass) completed(ctx context.Context) (*mcp.Exchange, error) {
	ref, name, err := p.completable(ctx)
	if err != nil {
		return nil, err
	}
	ex, err := remember(ctx, p, "completion", func() (*mcp.Exchange, error) {
		return p.Call(ctx, "completion/complete", mcp.Object("ref", ref, "argument", mcp.Object("name", name, "value", "")))
	})
	if err == nil && ex.Reply.Error != nil {
		return nil, p.Missing("completion of %s of %s failed with error %d", quoted(name), show(ref), ex.Reply.Error.Code)
	}
	return ex, err
}

// completable finds an argument of a prompt or of a resource template to complete.
func (p *Pass) completable(ctx context.Context) (ref json.RawMessage, name string, err error) {
	if p.Declares("prompts") {
		list, err := p.List(ctx, "prompts/list")
		if err != nil {
			return nil, "", err
		}
		for _, item := range list.Items {
			if name := TextAt(item.Raw, "/arguments/0/name"); name != "" {
				return mcp.Object("type", "ref/prompt", "name", item.Name), name, nil
			}
		}
	}
	if p.Declares("resources") {
		list, err := p.List(ctx, "resources/templates/list")
		if err != nil {
			return nil, "", err
		}
		for _, item := range list.Items {
			if found := braces.FindString(item.Name); found != "" {
				return mcp.Object("type", "ref/resource", "uri", item.Name), strings.Trim(found, "{}+#./;?&*"), nil
			}
		}
	}
	return nil, "", p.Missing("server declares completions but has no prompt or resource template with an argument")
}
