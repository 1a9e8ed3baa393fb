package conform

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool019 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-019",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic#json-schema-usage"),
		Doc: `tool schemas should use JSON Schema 2020-12

Clients must support JSON Schema 2020-12, which is the default without $schema. A schema may name another dialect, but a
client that does not support it must reject the schema.`,
	},
	Since: spec.November2025,
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		list, err := p.Offered(ctx, "tools/list")
		if err != nil {
			return err
		}
		others := map[string][]mcp.Item{}
		for _, item := range list.Items {
			for _, key := range []string{"inputSchema", "outputSchema"} {
				named, ok := schema.Text(At(item.Raw, "/"+key+"/$schema"))
				if ok && strings.TrimSuffix(named, "#") != spec.Draft2020_12 &&
					!slices.ContainsFunc(others[named], func(o mcp.Item) bool { return o.Name == item.Name }) {
					others[named] = append(others[named], item)
				}
			}
		}
		for _, named := range slices.Sorted(maps.Keys(others)) {
			tools := others[named]
			p.Report(Evidence{Subject: tools[0].Name, Pointer: "/inputSchema/$schema",
				Exchange: pageOf(list, tools[0])}, "%d of %d tools have schemas in the dialect %s (this is the "+
				"first), expected no $schema or %s", len(tools), len(list.Items), quoted(named), spec.Draft2020_12)
		}
		return nil
	},
}
