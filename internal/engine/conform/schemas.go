package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// schemasCompile compiles one of the schemas of each tool.
func (p *CheckContext) schemasCompile(ctx context.Context, key string) error {
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
			p.Report(Evidence{Subject: item.Name, Pointer: "/" + key, Exchange: pageOf(list, item)},
				"invalid %s: %s, expected a JSON Schema", key, clip.Text(err.Error(), 200))
			continue
		}
		if root := schema.TextAt(raw, "/type"); root != "object" &&
			(key == "inputSchema" || p.Revision.Tool.OutputSchema == spec.ObjectOutput) {
			p.Report(Evidence{Subject: item.Name, Pointer: "/" + key + "/type", Exchange: pageOf(list, item)},
				"type of %s is %s, expected \"object\"", key, show(At(raw, "/type")))
		}
	}
	return nil
}
