package hosts

import (
	"slices"
	"strings"
)

// copilotCLIMoved lists the keywords that Copilot CLI moves into the description, in the order in which it writes
// them. The compositions move only at the root.
var copilotCLIMoved = []string{
	"minLength", "maxLength", "pattern", "format",
	"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
	"minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains",
	"minProperties", "maxProperties", "patternProperties", "propertyNames",
	"unevaluatedItems", "unevaluatedProperties", "dependentRequired", "dependentSchemas",
	"not", "if", "then", "else",
}

var copilotCLIRoot = []string{"anyOf", "oneOf", "allOf"}

const copilotNameMax = 64

// copilotCLIView moves constraints into descriptions, as text that a model can read.
func copilotCLIView(c *conversion) {
	if c.onlyLoss {
		return // it drops no tool
	}
	name, _ := cutUTF16(replaceOther(c.server, "_-", "-")+"-"+replaceOther(c.out.Name, "_-", "-"), copilotNameMax)
	c.out.Name = name
	schema := c.schema()
	if !schema.isObject() {
		return
	}
	copilotCLISchema(schema, true)
	if !schema.has("properties") {
		schema.set("properties", newObject())
	}
	c.setSchema(schema)
}

func copilotCLISchema(n *node, root bool) {
	switch {
	case n.isBool():
		if n.kind == 'f' {
			*n = *newObject(field{"description", newText("{schema: false}")})
		} else {
			*n = *newObject()
		}
		return
	case n.isList():
		for _, item := range n.items {
			copilotCLISchema(item, false)
		}
		return
	case !n.isObject():
		return
	}
	copilotCLIChildren(n, root)
	if n.get("type").hasText("array") && !n.has("items") {
		n.set("items", newObject())
	}
	moved := copilotCLIMoved
	if root {
		moved = append(slices.Clone(moved), copilotCLIRoot...)
	}
	var parts []string
	for _, name := range moved {
		if v := n.get(name); v != nil {
			parts = append(parts, name+": "+string(v.sorted().json()))
		}
	}
	if len(parts) == 0 {
		return
	}
	n.remove(moved...)
	text := "{" + strings.Join(parts, ", ") + "}"
	if before := n.get("description"); before.isText() && before.text != "" {
		text = before.text + "\n\n" + text
	}
	n.set("description", newText(text))
}

// copilotCLIChildren rewrites the schemas inside one. Moved keywords are written as they were sent.
func copilotCLIChildren(n *node, root bool) {
	for _, f := range n.fields {
		switch f.name {
		case "properties", "$defs", "definitions":
			for _, inner := range f.value.fields {
				copilotCLISchema(inner.value, false)
			}
		case "items":
			if f.value.isList() {
				copilotCLISchema(f.value, false)
				n.set("items", newObject(field{"anyOf", f.value}))
				continue
			}
			copilotCLISchema(f.value, false)
		case "anyOf", "oneOf", "allOf":
			if !root {
				copilotCLISchema(f.value, false)
			}
		case "prefixItems":
			copilotCLISchema(f.value, false)
		case "additionalProperties":
			if f.value.isObject() {
				copilotCLISchema(f.value, false)
			}
		}
	}
}
