// Package appview renders the views of MCP Apps safely: it reads what a server declares for a view, builds a content
// security policy that is never wider, and serves each view from its own origin.
package appview

import (
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Tool is what the definition of a tool declares for Apps.
type Tool struct {
	ResourceURI string   // of its view; empty if it has none
	Visibility  []string // who may call it: model, app; never nil
}

// ReadTool reads the declaration of a tool. An invalid visibility allows nobody.
func ReadTool(definition json.RawMessage) Tool {
	t := Tool{ResourceURI: schema.TextAt(definition, "/_meta/ui/resourceUri"), Visibility: []string{}}
	if t.ResourceURI == "" { // the deprecated form
		t.ResourceURI = schema.TextAt(definition, "/_meta/ui~1resourceUri")
	}
	raw, ok := schema.Get(definition, "/_meta/ui/visibility")
	if !ok {
		t.Visibility = []string{"model", "app"}
		return t
	}
	elements, _ := schema.Elements(raw)
	for _, e := range elements {
		if text, ok := schema.Text(e); ok && (text == "model" || text == "app") {
			t.Visibility = append(t.Visibility, text)
		}
	}
	return t
}

// ForApp reports whether a view of the same server may call the tool.
func (t Tool) ForApp() bool { return slices.Contains(t.Visibility, "app") }
