package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool007 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-007",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#data-types"),
		Doc: `inputSchema must be a JSON Schema of type object

Models generate arguments from the schema and clients validate with it. If it cannot be compiled, or its root is not of
type object, the tool is unusable, and in some hosts all other tools as well.`,
	},
	Needs: "tools",
	Run:   func(ctx context.Context, p *Pass) error { return p.schemasCompile(ctx, "inputSchema") },
}

// schemasCompile compiles one of the schemas of each tool.
func (p *Pass) schemasCompile(ctx context.Context, key string) error {
	list, err := p.Offered(ctx, "tools/list")
	if err != nil {
		return err
	}
	for _, item := range list.Items {
		raw := At(item.Raw, "/"+key)
		if raw == nil && key == "outputSchema" {
			continue
		}
		if _, err := schema.Compile(raw, &schema.Options{Dialect: p.Revision.Dialect}); raw != nil && err != nil {
			p.Report(Seen{Subject: item.Name, Pointer: "/" + key, Exchange: pageOf(list, item)}, "invalid %s: %s, expected a JSON Schema", key, clip.Text(err.Error(), 200))
			continue
		}
		if root := TextAt(raw, "/type"); root != "object" && (key == "inputSchema" || p.Revision.Tool.OutputSchema == spec.ObjectOutput) {
			p.Report(Seen{Subject: item.Name, Pointer: "/" + key + "/type", Exchange: pageOf(list, item)}, "type of %s is %s, expected \"object\"", key, show(At(raw, "/type")))
		}
	}
	return nil
}
