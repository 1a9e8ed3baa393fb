package hosts

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// CodexBudget is the size in bytes of a compact schema from which Codex cuts it.
const CodexBudget = 5000

// Limits of Codex.
const (
	codexDepth     = 3   // depth from which the objects of a large schema are emptied
	codexNameMax   = 128 // of namespace, delimiter and name
	codexDelimiter = 2   // length of the delimiter that Codex reserves
	codexHash      = 12
)

// codexKept lists the keywords that Codex keeps.
func codexKept() []string {
	return []string{
		"$ref", "type", "description", "enum", "items", "minItems", "properties", "required", "additionalProperties",
		"anyOf", "oneOf", "allOf", "$defs", "definitions",
	}
}

var codexComposition = []string{"anyOf", "oneOf", "allOf"}

var codexTables = []string{"$defs", "definitions"}

// The keywords with a schema or a list of schemas that are cleaned, and those that are visited after it.
var (
	codexCleaned = []string{"items", "prefixItems", "anyOf", "oneOf", "allOf"}
	codexVisited = []string{"items", "anyOf", "oneOf", "allOf"}
)

// CodexKeeps reports whether Codex keeps a keyword.
func CodexKeeps(keyword string) bool {
	return slices.Contains(codexKept(), keyword) || keyword == "const"
}

func codexView(c *conversion) {
	c.out.Namespace, c.out.Name = codexName(c.server, c.out.Name)
	schema := c.schema()
	if !schema.isObject() {
		c.drop("inputSchema is not an object")
		return
	}
	codexClean(schema)
	codexPrune(schema)
	if why := codexRefuses(schema, nil); why != "" {
		c.drop(why)
		return
	}
	isNull := func() bool { return schema.get("type").hasText("null") }
	if c.onlyLoss && !isNull() {
		return // cutting adds no type
	}
	codexCut(schema)
	if isNull() {
		c.drop(`the type of inputSchema is "null"`)
		return
	}
	c.setSchema(codexPrint(schema))
}

// CodexName returns the name under which Codex offers a tool of a server with a short name.
func CodexName(name string) string {
	_, name = codexName("", name)
	return name
}

// CodexFullName returns the namespace of a server in Codex, and the name of its tool.
func CodexFullName(server, name string) (namespace, short string) { return codexName(server, name) }

// codexName returns the namespace of a server and the name of its tool: other characters become underscores, and a
// long name is cut and ends in a hash.
func codexName(server, name string) (namespace, short string) {
	namespace, short = "mcp__"+codexClearName(server), codexClearName(name)
	longest := codexNameMax - codexDelimiter - len(namespace)
	if len(short) <= longest {
		return namespace, short
	}
	suffix := "_" + shortHash(strings.Join([]string{server, server, "", name, name}, "\x00"), codexHash)
	return namespace, short[:max(0, longest-len(suffix))] + suffix
}

func codexClearName(name string) string {
	if name == "" {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if isASCIIAlphanumeric(r) || r == '_' {
			return r
		}
		return '_'
	}, name)
}

// CodexSchema returns the schema that Codex passes to the model: unknown keywords dropped, and cut in steps
// until it fits the budget.
func CodexSchema(raw json.RawMessage) json.RawMessage {
	schema := parse(raw)
	if schema == nil {
		return raw
	}
	codexClean(schema)
	codexPrune(schema)
	codexCut(schema)
	return codexPrint(schema).json()
}

// CodexSize returns the size in bytes of a schema before Codex cuts it.
func CodexSize(raw json.RawMessage) int {
	schema := parse(raw)
	if schema == nil {
		return len(raw)
	}
	codexClean(schema)
	codexPrune(schema)
	return len(codexPrint(schema).json())
}

// codexClean rewrites a schema and the schemas inside it: every schema gets a type if it has any hint of one, and
// the fields that the type requires.
func codexClean(n *node) {
	switch n.kind {
	case 't', 'f':
		*n = *newObject(field{"type", newText("string")})
		return
	case '[':
		for _, item := range n.items {
			codexClean(item)
		}
		return
	case '{':
	default:
		return
	}
	if properties := n.get("properties"); properties.isObject() {
		for _, f := range properties.fields {
			codexClean(f.value)
		}
	}
	for _, name := range codexCleaned {
		if v := n.get(name); v != nil {
			codexClean(v)
		}
	}
	if v := n.get("additionalProperties"); v != nil && !v.isBool() {
		codexClean(v)
	}
	for _, name := range codexTables {
		switch table := n.get(name); {
		case table.isObject():
			for _, f := range table.fields {
				codexClean(f.value)
			}
		case table != nil:
			n.remove(name)
		}
	}
	if constant := n.get("const"); constant != nil {
		n.remove("const")
		n.set("enum", newList(constant))
	}
	types := codexTypes(n.get("type"))
	if len(types) == 0 {
		if n.has("$ref") || n.hasAny(codexComposition...) {
			return
		}
		guess := codexGuess(n)
		if guess == "" {
			*n = *newObject()
			return
		}
		types = []string{guess}
	}
	codexSetTypes(n, types)
}

// codexGuess infers a type from the keywords; empty if there is no hint.
func codexGuess(n *node) string {
	switch {
	case n.hasAny("properties", "required", "additionalProperties"):
		return "object"
	case n.hasAny("items", "prefixItems"):
		return "array"
	case n.hasAny("enum", "format"):
		return "string"
	case n.hasAny("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"):
		return "number"
	}
	return ""
}

func codexSetTypes(n *node, types []string) {
	switch {
	case len(types) == 1 && n.get("type").hasText(types[0]):
	case len(types) == 1:
		n.set("type", newText(types[0]))
	default:
		list := newList()
		for _, name := range types {
			list.items = append(list.items, newText(name))
		}
		n.set("type", list)
	}
	if slices.Contains(types, "object") && !n.has("properties") {
		n.set("properties", newObject())
	}
	if slices.Contains(types, "array") && !n.has("items") {
		n.set("items", newObject(field{"type", newText("string")}))
	}
}

// codexTypes returns the known type names of a type keyword.
func codexTypes(n *node) []string {
	known := []string{"string", "number", "boolean", "integer", "object", "array", "null"}
	var names []string
	if n.isText() {
		names = []string{n.text}
	}
	if n.isList() {
		for _, item := range n.items {
			if item.isText() {
				names = append(names, item.text)
			}
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return !slices.Contains(known, name) })
}

// codexChildren calls a function for each schema, or list of schemas, directly inside one. Tables are the
// definitions.
func codexChildren(n *node, tables bool, visit func(*node)) {
	table := func(v *node) {
		if v.isObject() {
			for _, f := range v.fields {
				visit(f.value)
			}
		}
	}
	table(n.get("properties"))
	for _, name := range codexVisited {
		if v := n.get(name); v != nil {
			visit(v)
		}
	}
	if v := n.get("additionalProperties"); v != nil && !v.isBool() {
		visit(v)
	}
	if tables {
		for _, name := range codexTables {
			table(n.get(name))
		}
	}
}

// codexWalk applies a change to the schemas of a tree until the change returns true for one.
func codexWalk(n *node, tables bool, change func(*node) (done bool)) {
	switch {
	case n.isList():
		for _, item := range n.items {
			codexWalk(item, tables, change)
		}
	case n.isObject():
		if !change(n) {
			codexChildren(n, tables, func(child *node) { codexWalk(child, tables, change) })
		}
	}
}

// codexPrune removes the definitions that no reference reaches.
func codexPrune(root *node) {
	if !root.isObject() || !root.hasAny(codexTables...) {
		return
	}
	var pending [][2]string
	codexWalk(root, false, func(n *node) bool {
		pending = append(pending, codexReference(n)...)
		return false
	})
	reached := map[[2]string]bool{}
	for len(pending) > 0 {
		at := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if reached[at] {
			continue
		}
		reached[at] = true
		if definition := root.get(at[0]).get(at[1]); definition != nil {
			definition.each(func(n *node) { pending = append(pending, codexReference(n)...) })
		}
	}
	for _, name := range codexTables {
		table := root.get(name)
		if !table.isObject() {
			continue
		}
		table.fields = slices.DeleteFunc(table.fields, func(f field) bool { return !reached[[2]string{name, f.name}] })
		if len(table.fields) == 0 {
			root.remove(name)
		}
	}
}

// codexReference returns the definition that a local $ref names: its table and its name.
func codexReference(n *node) [][2]string {
	ref := n.get("$ref")
	if !ref.isText() || !strings.HasPrefix(ref.text, "#") {
		return nil
	}
	pointer, err := url.PathUnescape(ref.text[1:])
	parts := strings.Split(pointer, "/")
	if err != nil || len(parts) < 3 || parts[0] != "" {
		return nil
	}
	if table := schema.TokenName(parts[1]); slices.Contains(codexTables, table) {
		return [][2]string{{table, schema.TokenName(parts[2])}}
	}
	return nil
}

// codexCut shrinks a large schema: each step is taken only while the schema is too large.
func codexCut(root *node) {
	for _, step := range []func(*node){codexDropDescriptions, codexDropDefinitions, codexCollapse,
		codexDropComposition} {
		if len(codexPrint(root).json()) <= CodexBudget {
			return
		}
		step(root)
	}
}

func codexDropDescriptions(root *node) {
	codexWalk(root, true, func(n *node) bool {
		n.remove("description")
		return false
	})
}

func codexDropDefinitions(root *node) {
	codexWalk(root, false, func(n *node) bool {
		local := codexReference(n) != nil
		if local {
			*n = *newObject()
		}
		return local
	})
	root.remove(codexTables...)
}

func codexCollapse(root *node) { codexCollapseAt(root, 0) }

func codexCollapseAt(n *node, depth int) {
	switch {
	case n.isList():
		for _, item := range n.items {
			codexCollapseAt(item, depth)
		}
	case n.isObject():
		if depth >= codexDepth && (n.hasAny("items", "properties", "additionalProperties", "$ref") ||
			n.hasAny(codexComposition...)) {
			*n = *newObject()
			return
		}
		codexChildren(n, false, func(child *node) { codexCollapseAt(child, depth+1) })
	}
}

func codexDropComposition(root *node) {
	codexWalk(root, false, func(n *node) bool {
		composed := n.hasAny(codexComposition...)
		if composed {
			*n = *newObject()
		}
		return composed
	})
}

// codexRefuses returns why Codex cannot represent a cleaned schema, which costs the tool; empty if it can.
func codexRefuses(n *node, at *codexPath) string {
	if !n.isObject() {
		return fmt.Sprintf("%s is %s, not a schema", at.text(), kindName(n))
	}
	for _, f := range n.fields {
		here := codexPath{at, f.name}
		if f.value.kind == 'n' {
			continue
		}
		wrong := false
		switch f.name {
		case "description", "$ref":
			wrong = !f.value.isText()
		case "enum":
			wrong = !f.value.isList()
		case "minItems":
			wrong = f.value.kind != '0' || strings.ContainsAny(string(f.value.raw), "-.eE")
		case "required":
			wrong = !f.value.isList() || slices.ContainsFunc(f.value.items,
				func(item *node) bool { return !item.isText() })
		case "properties", "$defs", "definitions":
			if wrong = !f.value.isObject(); wrong {
				break
			}
			for _, inner := range f.value.fields {
				if why := codexRefuses(inner.value, &codexPath{&here, inner.name}); why != "" {
					return why
				}
			}
		case "anyOf", "oneOf", "allOf":
			if wrong = !f.value.isList(); wrong {
				break
			}
			for i, item := range f.value.items {
				if why := codexRefuses(item, &codexPath{&here, strconv.Itoa(i)}); why != "" {
					return why
				}
			}
		case "items", "additionalProperties":
			if f.value.isBool() && f.name == "additionalProperties" {
				break
			}
			if why := codexRefuses(f.value, &here); why != "" {
				return why
			}
		}
		if wrong {
			return fmt.Sprintf("%s is %s", here.text(), kindName(f.value))
		}
	}
	return ""
}

// A codexPath is the location of a subschema; nil for the root. It is written only for a message.
type codexPath struct {
	parent *codexPath
	name   string
}

func (p *codexPath) text() string {
	if p == nil {
		return "inputSchema"
	}
	return p.parent.text() + "/" + p.name
}

// codexPrint returns a copy with only the keywords that Codex keeps.
func codexPrint(n *node) *node {
	if !n.isObject() {
		return n
	}
	kept := codexKept()
	out := newObject()
	for _, f := range n.fields {
		if !slices.Contains(kept, f.name) || f.value.kind == 'n' {
			continue
		}
		value := f.value
		switch {
		case (f.name == "properties" || slices.Contains(codexTables, f.name)) && value.isObject():
			table := newObject()
			for _, inner := range value.fields {
				table.fields = append(table.fields, field{inner.name, codexPrint(inner.value)})
			}
			value = table
		case slices.Contains(codexComposition, f.name) && value.isList():
			list := newList()
			for _, item := range value.items {
				list.items = append(list.items, codexPrint(item))
			}
			value = list
		case f.name == "items" || f.name == "additionalProperties":
			value = codexPrint(value)
		}
		out.fields = append(out.fields, field{f.name, value})
	}
	return out
}
