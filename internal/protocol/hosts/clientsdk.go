package hosts

import (
	"fmt"
	"strings"
)

// A clientCheck is the validation of tools/list in a host that uses the TypeScript SDK. The SDK rejects the whole
// list if one tool does not match, so the host has no tool of the server.
type clientCheck struct {
	properties bool // every value in properties must be an object
	output     bool // outputSchema must have the type object, as before revision 2026-07-28
}

// refuses returns why the SDK rejects the list because of this tool; empty if it does not.
func (c clientCheck) refuses(tool *node) string {
	for _, name := range []string{"name", "title", "description"} {
		if v := tool.get(name); v != nil && !v.isText() {
			return fmt.Sprintf("%s is %s, not a string", name, kindName(v))
		}
	}
	for _, name := range []string{"inputSchema", "outputSchema"} {
		if why := c.refusesSchema(name, tool.get(name)); why != "" {
			return why
		}
	}
	for _, name := range []string{"annotations", "_meta", "execution"} {
		if v := tool.get(name); v != nil && !v.isObject() {
			return fmt.Sprintf("%s is %s, not an object", name, kindName(v))
		}
	}
	if v := tool.get("icons"); v != nil && !v.isList() {
		return fmt.Sprintf("icons is %s, not an array", kindName(v))
	}
	return refusesAnnotations(tool.get("annotations"))
}

func (c clientCheck) refusesSchema(name string, schema *node) string {
	if schema == nil {
		if name == "inputSchema" {
			return "inputSchema is missing"
		}
		return ""
	}
	if !schema.isObject() {
		return fmt.Sprintf("%s is %s, not an object", name, kindName(schema))
	}
	if kind := schema.get("type"); !kind.hasText("object") && (c.output || name == "inputSchema") {
		if kind == nil {
			return name + " has no type"
		}
		return fmt.Sprintf("the type of %s is %s, not \"object\"", name, kind.json())
	}
	if properties := schema.get("properties"); properties != nil {
		if !properties.isObject() {
			return fmt.Sprintf("properties of %s is %s, not an object", name, kindName(properties))
		}
		for _, f := range properties.fields {
			if c.properties && !f.value.isObject() {
				return fmt.Sprintf("property %q of %s is %s, not a schema", f.name, name, kindName(f.value))
			}
		}
	}
	if required := schema.get("required"); required != nil {
		if !required.isList() {
			return fmt.Sprintf("required of %s is %s, not an array", name, kindName(required))
		}
		for _, item := range required.items {
			if !item.isText() {
				return fmt.Sprintf("required of %s contains %s, not a string", name, kindName(item))
			}
		}
	}
	return ""
}

func refusesAnnotations(annotations *node) string {
	if annotations == nil {
		return ""
	}
	var wrong []string
	for _, f := range annotations.fields {
		switch f.name {
		case "title":
			if !f.value.isText() {
				wrong = append(wrong, f.name+" is "+kindName(f.value))
			}
		case "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint":
			if !f.value.isBool() {
				wrong = append(wrong, f.name+" is "+kindName(f.value))
			}
		}
	}
	if len(wrong) == 0 {
		return ""
	}
	return "in annotations, " + strings.Join(wrong, ", ")
}

// kindName names the kind of a value for a message.
func kindName(n *node) string {
	switch n.kind {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 'n':
		return "null"
	}
	return "a boolean"
}
