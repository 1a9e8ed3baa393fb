package conform

import (
	"context"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool023 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-023",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("basic#icons"),
		Doc: `icons should use https: or data: URLs

A client must reject icons with other schemes: a page or script behind one would run in the host.`,
	},
	Since: spec.November2025,
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		list, err := p.Offered(ctx, "tools/list")
		if err != nil {
			return err
		}
		for _, item := range list.Items {
			icons, _ := schema.Elements(At(item.Raw, "/icons"))
			for i, icon := range icons {
				if src := schema.TextAt(icon, "/src"); !strings.HasPrefix(src, "https://") &&
					!strings.HasPrefix(src, "data:") {
					p.Report(Evidence{Subject: item.Name, Pointer: fmt.Sprintf("/icons/%d/src", i),
						Exchange: pageOf(list, item)}, "src is %s, expected https: or data:", quoted(src))
				}
			}
		}
		return nil
	},
}
