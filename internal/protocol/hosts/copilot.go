package hosts

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// CopilotRootDropped lists the keywords that VS Code Copilot deletes at the root of a schema.
func CopilotRootDropped() []string {
	return []string{"anyOf", "oneOf", "allOf", "not", "if", "then", "else"}
}

// CopilotGPT4Dropped lists the keywords that VS Code Copilot deletes everywhere for models named gpt-4*.
func CopilotGPT4Dropped() []string {
	return []string{
		"minLength", "maxLength", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
		"multipleOf", "minItems", "maxItems", "uniqueItems", "contains", "patternProperties", "propertyNames",
		"minProperties", "maxProperties", "unevaluatedItems", "unevaluatedProperties", "default",
	}
}

// copilotView normalizes as VS Code does for every model.
func copilotView(c *conversion) {
	t := &c.out
	if t.Description == "" {
		t.Description = "No description provided"
	}
	root, ok := readObject(t.Schema)
	if kind, _ := root.get("type"); !ok || string(kind) != `"object"` {
		t.Schema = json.RawMessage(`{"type":"object","properties":{}}`)
		return
	}
	if !root.has("properties") {
		root = root.set("properties", json.RawMessage("{}"))
	}
	t.Schema = knownRequired(root.without(CopilotRootDropped()...)).raw()
}

// knownRequired drops required names without a property.
func knownRequired(root object) object {
	list, _ := root.get("required")
	names, err := schema.Elements(list)
	if err != nil {
		return root
	}
	raw, _ := root.get("properties")
	properties, _ := readObject(raw)
	known := make(map[string]bool, len(properties))
	for _, m := range properties {
		known[m.Name] = true
	}
	kept := names[:0:0]
	for _, name := range names {
		if text, _ := schema.Text(name); known[text] {
			kept = append(kept, name)
		}
	}
	if len(kept) == len(names) {
		return root
	}
	return root.set("required", array(kept))
}
