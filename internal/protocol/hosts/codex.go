package hosts

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// CodexBudget is the size in bytes of a compact schema from which Codex cuts it.
const CodexBudget = 5000

// codexKept lists the keywords that Codex keeps.
func codexKept() []string {
	return []string{
		"$ref", "type", "description", "enum", "items", "properties", "required", "additionalProperties",
		"anyOf", "oneOf", "allOf", "$defs", "definitions",
	}
}

// CodexKeeps reports whether Codex keeps a keyword.
func CodexKeeps(keyword string) bool { return contains(codexKept(), keyword) || keyword == "const" }

func codexView(t Tool) Tool {
	t.Name = CodexName(t.Name)
	t.Schema = CodexSchema(t.Schema)
	return t
}

// CodexName returns the name under which Codex offers a tool: other characters become underscores, and a long
// name ends in a hash of itself.
func CodexName(name string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '_'
	}, name)
	if max := codex().ToolName.Max; len(clean) > max {
		sum := sha1.Sum([]byte(name))
		suffix := hex.EncodeToString(sum[:])
		clean = clean[:max-len(suffix)] + suffix
	}
	return clean
}

// CodexSchema returns the schema that Codex passes to the model: unknown keywords dropped, and cut in steps
// until it fits the budget.
func CodexSchema(raw json.RawMessage) json.RawMessage {
	out := codexClean(raw, 0)
	for _, cut := range []func(object, int) object{dropDescription, dropDefinitions, collapseDeep, dropComposition} {
		if len(out) <= CodexBudget {
			break
		}
		out = rewrite(out, cut, 0)
	}
	return out
}

// codexClean keeps the keywords that Codex supports and adds required ones.
func codexClean(raw json.RawMessage, depth int) json.RawMessage {
	o, ok := readObject(raw)
	if !ok {
		return json.RawMessage(`{"type":"string"}`) // how Codex converts a boolean schema
	}
	if depth > schema.MaxDepth {
		return json.RawMessage("{}")
	}
	var kept object
	for _, m := range o {
		switch {
		case m.Name == "const" && !o.has("enum"):
			kept = kept.set("enum", array([]json.RawMessage{m.Value}))
		case contains(codexKept(), m.Name):
			kept = append(kept, m)
		}
	}
	return codexFill(descend(kept, func(sub json.RawMessage) json.RawMessage { return codexClean(sub, depth+1) })).raw()
}

// codexFill adds what Codex adds.
func codexFill(o object) object {
	kind, _ := o.get("type")
	switch {
	case len(kind) == 0 && o.has("enum"):
		return o.set("type", json.RawMessage(`"string"`))
	case string(kind) == `"array"` && !o.has("items"):
		return o.set("items", json.RawMessage(`{"type":"string"}`))
	case string(kind) == `"object"` && !o.has("properties"):
		return o.set("properties", json.RawMessage("{}"))
	}
	return o
}

func dropDescription(o object, _ int) object { return o.without("description") }
func dropDefinitions(o object, _ int) object { return o.without("$defs", "definitions") }
func dropComposition(o object, _ int) object { return o.without("anyOf", "oneOf", "allOf") }

// collapseDeep empties the objects at the third level and below.
func collapseDeep(o object, depth int) object {
	if depth < 3 || !o.has("properties") {
		return o
	}
	return o.set("properties", json.RawMessage("{}")).without("required")
}

// rewrite applies a change to a schema and all schemas inside it.
func rewrite(raw json.RawMessage, change func(object, int) object, depth int) json.RawMessage {
	o, ok := readObject(raw)
	if !ok || depth > schema.MaxDepth {
		return raw
	}
	return descend(change(o, depth), func(sub json.RawMessage) json.RawMessage { return rewrite(sub, change, depth+1) }).raw()
}

// descend applies a change to the schemas directly inside one.
func descend(o object, change func(json.RawMessage) json.RawMessage) object {
	for i, m := range o {
		switch m.Name {
		case "properties", "$defs", "definitions":
			if inner, ok := readObject(m.Value); ok {
				for j := range inner {
					inner[j].Value = change(inner[j].Value)
				}
				o[i].Value = inner.raw()
			}
		case "anyOf", "oneOf", "allOf":
			if list, err := schema.Elements(m.Value); err == nil {
				for j := range list {
					list[j] = change(list[j])
				}
				o[i].Value = array(list)
			}
		case "items", "additionalProperties":
			if schema.Kind(m.Value) == '{' || m.Name == "items" && !bytes.HasPrefix(m.Value, []byte("[")) {
				o[i].Value = change(m.Value)
			}
		}
	}
	return o
}

// CodexSize returns the size in bytes of a schema before Codex cuts it.
func CodexSize(raw json.RawMessage) int { return len(codexClean(raw, 0)) }
