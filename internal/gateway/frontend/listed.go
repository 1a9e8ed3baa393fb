package frontend

import "github.com/mcptest-dev/mcptest/internal/gateway/status"

// Tools lists the tools as clients see them, for a status.
func (g *Gateway) Tools() []status.Tool {
	shown := g.view.Load().tools
	all := make([]status.Tool, len(shown))
	for i := range shown {
		t := shown[i].tool
		all[i] = status.Tool{Name: shown[i].name, Server: t.Server, Tool: t.Name, Version: t.Version,
			About: t.Description, Stale: t.Stale, Refused: t.Quarantined}
	}
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
