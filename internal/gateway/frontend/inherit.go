package frontend

import "github.com/mcptest-dev/mcptest/internal/gateway/catalog"

// inherit gives a registered tool without a schema that of the server's tool that it runs, as a caller with these
// listings sees it.
func (g *Gateway) inherit(t *catalog.Tool, own map[string]*catalog.Listing) {
	if t.Source != catalog.Registered || t.Run.Upstream == nil || t.Parameters != nil {
		return
	}
	behind, err := g.opts.Catalog.Find(catalog.Key{Server: t.Run.Upstream.Server, Name: t.Run.Upstream.Tool}, own)
	if err != nil {
		return // its server has not listed it
	}
	if t.Parameters = behind.Parameters; t.Returns == nil {
		t.Returns = behind.Returns
	}
}
