package frontend

import "github.com/mcptest-dev/mcptest/internal/gateway/catalog"

// inherit gives a registered tool without a schema that of the server's tool that it runs.
func (g *Gateway) inherit(t *catalog.Tool) {
	if t.Source != catalog.Registered || t.Run.Upstream == nil || t.Parameters != nil {
		return
	}
	behind, err := g.opts.Catalog.Get(catalog.Key{Server: t.Run.Upstream.Server, Name: t.Run.Upstream.Tool})
	if err != nil {
		return // its server has not listed it
	}
	if t.Parameters = behind.Parameters; t.Returns == nil {
		t.Returns = behind.Returns
	}
}
