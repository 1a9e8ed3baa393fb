package frontend

import (
	"cmp"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/gateway/naming"
	"github.com/mcptest-dev/mcptest/internal/gateway/status"
)

// Tools lists the tools of the catalog by the names that clients see, for a status. Of a server that lists for each caller
// separately they are those that it lists for the account of the gateway.
func (g *Gateway) Tools() []status.Tool {
	all := []status.Tool{}
	for _, t := range g.opts.Catalog.List(catalog.Filter{}) {
		all = append(all, status.Tool{Name: naming.Expose(t.Server, t.Name, naming.Max-g.opts.Prefix), Server: t.Server, Tool: t.Name,
			Version: t.Version, About: t.Description, Stale: t.Stale, Refused: t.Quarantined})
	}
	slices.SortFunc(all, func(a, b status.Tool) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// Tools lists the tools of the server, for a status.
func (t *Transparent) Tools() []status.Tool {
	all := []status.Tool{}
	if surface := t.server.Surface(); surface != nil && surface.Tools != nil {
		for _, item := range surface.Tools.Items {
			all = append(all, status.Tool{Name: item.Name, Server: t.server.Name, Tool: item.Name,
				Stale: t.server.Session() == nil})
		}
	}
	return all
}
