package subschema

import (
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// kinds is a set of JSON types. Integers are numbers; node.integer restricts them.
type kinds uint8

const (
	kindNull kinds = 1 << iota
	kindBool
	kindNumber
	kindString
	kindArray
	kindObject
	allKinds kinds = 1<<iota - 1
)

var kindNames = map[string]kinds{"null": kindNull, "boolean": kindBool, "number": kindNumber, "integer": kindNumber,
	"string": kindString, "array": kindArray, "object": kindObject}

func kindOf(value any) kinds {
	switch value.(type) {
	case nil:
		return kindNull
	case bool:
		return kindBool
	case json.Number:
		return kindNumber
	case string:
		return kindString
	case []any:
		return kindArray
	}
	return kindObject
}

// A parser reads the keywords of one subschema. A keyword with a value of the wrong type fails the document: the
// validators reject such a schema as a whole.
type parser struct {
	d       *document
	n       *node
	pointer string
	depth   int
	in      map[string]any
}

func (p *parser) parse() {
	if ref, ok := p.in["$ref"].(string); ok {
		p.n.ref = p.d.follow(ref, p.depth)
		if p.d.draft <= 7 {
			return // siblings of $ref have no effect in these drafts
		}
	}
	if p.pointer != "" && (p.in["$id"] != nil || p.d.draft == 4 && p.has("id", false)) {
		p.d.fail("%s: $id within a schema is not supported", p.pointer)
	}
	p.types()
	p.values()
	p.numbers()
	p.n.minLen, p.n.maxLen = p.count("minLength", 0), p.count("maxLength", -1)
	p.n.pattern = p.text("pattern")
	p.arrays()
	p.objects()
	p.n.allOf, p.n.anyOf, p.n.oneOf = p.list("allOf"), p.list("anyOf"), p.list("oneOf")
	p.n.not = p.child("not")
	if p.d.draft >= 7 {
		if p.n.cond = p.child("if"); p.n.cond != nil {
			p.n.then, p.n.other = p.child("then"), p.child("else")
		}
	}
	p.opaque()
}

func (p *parser) has(keyword string, schemaAllowed bool) bool {
	value, ok := p.in[keyword]
	_, isText := value.(string)
	return ok && (schemaAllowed || isText)
}

func (p *parser) wrong(keyword string) {
	p.d.fail("%s/%s: invalid value", p.pointer, keyword)
}

func (p *parser) types() {
	value, ok := p.in["type"]
	if !ok {
		return
	}
	var names []any
	switch value := value.(type) {
	case string:
		names = []any{value}
	case []any:
		names = value
	}
	p.n.kinds = 0
	number, integer := false, false
	for _, name := range names {
		text, _ := name.(string)
		kind, known := kindNames[text]
		if !known {
			p.wrong("type")
		}
		p.n.kinds |= kind
		number, integer = number || text == "number", integer || text == "integer"
	}
	p.n.integer = integer && !number
	if len(names) == 0 {
		p.wrong("type")
	}
}

func (p *parser) values() {
	if value, ok := p.in["enum"]; ok {
		list, isList := value.([]any)
		if !isList {
			p.wrong("enum")
		}
		p.n.enum = slices.Clip(append([]any{}, list...))
	}
	if value, ok := p.in["const"]; ok && p.d.draft >= 6 {
		if p.n.enum == nil {
			p.n.enum = []any{value}
			return
		}
		p.n.enum = slices.DeleteFunc(p.n.enum, func(v any) bool { return valueKey(v) != valueKey(value) })
	}
}

func (p *parser) numbers() {
	b := &p.n.bounds
	b.lo, b.hi = p.number("minimum"), p.number("maximum")
	if p.d.draft == 4 {
		b.openLo, b.openHi = p.flag("exclusiveMinimum") && b.lo != nil, p.flag("exclusiveMaximum") && b.hi != nil
	} else {
		if lo := p.number("exclusiveMinimum"); lo != nil && (b.lo == nil || lo.Cmp(b.lo) >= 0) {
			b.lo, b.openLo = lo, true
		}
		if hi := p.number("exclusiveMaximum"); hi != nil && (b.hi == nil || hi.Cmp(b.hi) <= 0) {
			b.hi, b.openHi = hi, true
		}
	}
	if m := p.number("multipleOf"); m != nil {
		if m.Sign() <= 0 {
			p.wrong("multipleOf")
			return
		}
		b.multiples = []*big.Rat{m}
	}
}

func (p *parser) arrays() {
	p.n.minItems, p.n.maxItems = p.count("minItems", 0), p.count("maxItems", -1)
	p.n.unique = p.flag("uniqueItems")
	items, isList := p.in["items"].([]any)
	switch {
	case isList && p.d.draft < 2020:
		for i := range items {
			p.n.prefix = append(p.n.prefix, p.d.at(p.pointer+"/items/"+strconv.Itoa(i), items[i], p.depth+1))
		}
		p.n.items = p.child("additionalItems")
	case isList:
		p.wrong("items")
	default:
		if p.d.draft >= 2020 {
			p.n.prefix = p.list("prefixItems")
		}
		p.n.items = p.child("items")
	}
}

func (p *parser) objects() {
	p.n.minProps, p.n.maxProps = p.count("minProperties", 0), p.count("maxProperties", -1)
	p.n.props, p.n.patterned = p.named("properties"), p.named("patternProperties")
	p.n.additional = p.child("additionalProperties")
	if p.d.draft >= 6 && !anyName(p.in["propertyNames"]) {
		p.n.names = p.child("propertyNames")
	}
	value, ok := p.in["required"]
	if !ok {
		return
	}
	list, isList := value.([]any)
	if !isList {
		p.wrong("required")
	}
	for _, name := range list {
		text, isText := name.(string)
		if !isText {
			p.wrong("required")
		}
		p.n.required = append(p.n.required, text)
	}
}

// opaque records the keywords that are only compared as text.
func (p *parser) opaque() {
	keywords := []string{"contains", "minContains", "maxContains", "dependencies", "dependentRequired",
		"dependentSchemas", "unevaluatedProperties", "unevaluatedItems", "$dynamicRef", "$recursiveRef"}
	for _, keyword := range keywords {
		value, ok := p.in[keyword]
		if !ok || value == true && strings.HasPrefix(keyword, "unevaluated") {
			continue
		}
		text := canonicalValue(value, p.d.draft)
		if text == "" || strings.HasPrefix(keyword, "unevaluated") || strings.HasPrefix(keyword, "$") {
			text = strconv.Itoa(p.n.id) // equal to nothing else
		}
		p.n.opaque = append(p.n.opaque, keyword+" "+text)
	}
}

// anyName recognizes a schema for names that accepts every name, which generators write for maps.
func anyName(value any) bool {
	text := canonicalValue(value, 0)
	return text == "true" || text == "{}" || text == `{"type":"string",}`
}

func (p *parser) child(keyword string) *node {
	value, ok := p.in[keyword]
	if !ok {
		return nil
	}
	return p.d.at(p.pointer+"/"+keyword, value, p.depth+1)
}

func (p *parser) list(keyword string) []*node {
	value, ok := p.in[keyword]
	if !ok {
		return nil
	}
	list, isList := value.([]any)
	if !isList {
		p.wrong(keyword)
	}
	nodes := make([]*node, len(list))
	for i, inner := range list {
		nodes[i] = p.d.at(p.pointer+"/"+keyword+"/"+strconv.Itoa(i), inner, p.depth+1)
	}
	return nodes
}

func (p *parser) named(keyword string) map[string]*node {
	value, ok := p.in[keyword]
	if !ok {
		return nil
	}
	entries, isMap := value.(map[string]any)
	if !isMap {
		p.wrong(keyword)
	}
	nodes := make(map[string]*node, len(entries))
	for name, inner := range entries {
		nodes[name] = p.d.at(p.pointer+"/"+keyword+"/"+schema.Token(name), inner, p.depth+1)
	}
	return nodes
}

func (p *parser) text(keyword string) string {
	value, ok := p.in[keyword]
	if !ok {
		return ""
	}
	text, isText := value.(string)
	if !isText {
		p.wrong(keyword)
	}
	return text
}

func (p *parser) flag(keyword string) bool {
	value, ok := p.in[keyword]
	if !ok {
		return false
	}
	set, isBool := value.(bool)
	if !isBool {
		p.wrong(keyword)
	}
	return set
}

func (p *parser) number(keyword string) *big.Rat {
	value, ok := p.in[keyword]
	if !ok {
		return nil
	}
	text, _ := value.(json.Number)
	r, ok := rational(text)
	if !ok {
		p.wrong(keyword)
		return nil
	}
	return r
}

// count reads a size. Sizes beyond 2^31 mean the same as 2^31.
func (p *parser) count(keyword string, missing int) int {
	r := p.number(keyword)
	if r == nil {
		return missing
	}
	if !r.IsInt() || r.Sign() < 0 {
		p.wrong(keyword)
		return missing
	}
	if !r.Num().IsInt64() || r.Num().Int64() > 1<<31 {
		return 1 << 31
	}
	return int(r.Num().Int64())
}

// rational reads a number exactly. Numbers with long exponents are refused: they would be expanded.
func rational(text json.Number) (*big.Rat, bool) {
	if len(text) == 0 || len(text) > 100 {
		return nil, false
	}
	if i := strings.IndexAny(string(text), "eE"); i >= 0 && len(text)-i > 5 {
		return nil, false
	}
	return new(big.Rat).SetString(string(text))
}
