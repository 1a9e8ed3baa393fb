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
		Doc: `The schemas of tools are written in the dialect that every client knows.

Clients have to know JSON Schema 2020-12, which a schema without $schema is in. Another dialect may be named, and a
client that does not know it has to refuse the schema.`,
	},
	Since: "2025-11-25",
	Needs: "tools",
	Run: func(ctx context.Context, p *Pass) error {
		list, err := p.Offered(ctx, "tools/list")
		if err != nil {
			return err
		}
		others := map[string][]mcp.Item{}
		for _, item := range list.Items {
			for _, key := range []string{"inputSchema", "outputSchema"} {
				named, ok := schema.Text(At(item.Raw, "/"+key+"/$schema"))
				if ok && strings.TrimSuffix(named, "#") != spec.Draft2020_12 && !slices.ContainsFunc(others[named], func(o mcp.Item) bool { return o.Name == item.Name }) {
					others[named] = append(others[named], item)
				}
			}
		}
		for _, named := range slices.Sorted(maps.Keys(others)) {
			tools := others[named]
			p.Report(Seen{Subject: tools[0].Name, Pointer: "/inputSchema/$schema", Exchange: pageOf(list, tools[0])}, "%d of %d tools have schemas in the dialect %s, this one first; want none named, or %s", len(tools), len(list.Items), quoted(named), spec.Draft2020_12)
		}
		return nil
	},
}
