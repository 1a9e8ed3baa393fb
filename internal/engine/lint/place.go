package lint

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Document is one schema of a tool.
type Document struct {
	Field      string // JSON Pointer of the schema in the tool's definition
	Raw        json.RawMessage
	Subschemas []*Subschema // every subschema in document order, the root first
	Deep       bool         // nesting exceeds the limit; only the levels above it were read
	Large      bool         // size exceeds the limit; not inspected, Subschemas is empty

	at        map[string]*Subschema
	judged    bool // isPlain is known
	isPlain   bool // see plain
	validated bool // fault is known
	fault     *schema.CompileError

	circles  map[*Subschema]int  // see recursive
	reached  map[*Subschema]bool // see Referenced
	compiled int                 // bytes of schemas that refuses has compiled
}

// A Subschema is one subschema with its context.
type Subschema struct {
	schema.Node
	Doc      *Document
	Up       *Subschema // nil for the root
	Children []*Subschema

	types    []string        // see Types
	typed    bool            // types is set
	ref      *Subschema      // the target of $ref
	declared map[string]bool // see Declares
	required map[string]bool // see Requires
}

// Limits on the work for one schema: some rules take time that is quadratic in its size. The largest seen in a real
// tool has about 1,500 subschemas in half a megabyte. Commas are counted as an estimate of the values in long lists.
const (
	maxSubschemas = 3000
	maxBytes      = 1 << 20
	maxCommas     = 50_000
)

func newDocument(field string, raw json.RawMessage) *Document {
	doc := &Document{Field: field, Raw: raw, at: map[string]*Subschema{}}
	if len(raw) > maxBytes || bytes.Count(raw, []byte(",")) > maxCommas {
		doc.Large = true
		return doc
	}
	err := schema.Walk(raw, func(n schema.Node) bool {
		if len(doc.Subschemas) == maxSubschemas {
			doc.Large = true
			return false
		}
		p := &Subschema{Node: n, Doc: doc}
		if n.Keyword != "" {
			p.Up = doc.at[n.Parent]
			p.Up.Children = append(p.Up.Children, p)
		}
		doc.Subschemas = append(doc.Subschemas, p)
		doc.at[n.Pointer] = p
		return true
	})
	if doc.Large {
		doc.Subschemas, doc.at = nil, nil
		return doc
	}
	doc.Deep = err == schema.ErrDepth
	doc.resolveAll()
	return doc
}

// Root is the schema itself; nil if the document could not be read or is too large.
func (d *Document) Root() *Subschema {
	if len(d.Subschemas) == 0 {
		return nil
	}
	return d.Subschemas[0]
}

// Where is the JSON Pointer of the place in the tool's definition.
func (p *Subschema) Where() string { return p.Doc.Field + p.Pointer }

// WhereKey is the JSON Pointer of a keyword of the place.
func (p *Subschema) WhereKey(keyword string) string { return p.Doc.Field + p.At(keyword) }

// Property reports whether the place is the schema of a property.
func (p *Subschema) Property() bool { return p.Keyword == "properties" }

// Under lists the places that a keyword of p holds.
func (p *Subschema) Under(keyword string) []*Subschema {
	var found []*Subschema
	for _, child := range p.Children {
		if child.Keyword == keyword {
			found = append(found, child)
		}
	}
	return found
}

// Declared lists the schemas of the properties that p itself declares.
func (p *Subschema) Declared() []*Subschema { return p.Under("properties") }

// Declares reports whether p itself declares a property.
func (p *Subschema) Declares(name string) bool {
	if p.declared == nil {
		p.declared = map[string]bool{}
		for _, q := range p.Declared() {
			p.declared[q.Name] = true
		}
	}
	return p.declared[name]
}

// Requires reports whether p itself requires a property.
func (p *Subschema) Requires(name string) bool {
	if p.required == nil {
		p.required = map[string]bool{}
		for _, required := range p.Strings("required") {
			p.required[required] = true
		}
	}
	return p.required[name]
}

// Types lists the values of the type keyword, for many rules.
func (p *Subschema) Types() []string {
	if !p.typed {
		p.types, p.typed = slices.Clip(p.Node.Types()), true
	}
	return p.types
}

// Object reports whether p describes an object: its type is object, or it declares properties and no other type.
func (p *Subschema) Object() bool {
	types := p.Types()
	if len(types) > 0 {
		return slices.Contains(types, "object")
	}
	return p.Has("properties")
}

// Is reports whether the schema is the boolean.
func (p *Subschema) Is(b bool) bool {
	return b && schema.Kind(p.Raw) == 't' || !b && schema.Kind(p.Raw) == 'f'
}

// Strings lists the strings of a keyword that is an array.
func (p *Subschema) Strings(keyword string) []string {
	value, _ := p.Get(keyword)
	elements, err := schema.Elements(value)
	if err != nil {
		return nil
	}
	var all []string
	for _, element := range elements {
		if s, ok := schema.Text(element); ok {
			all = append(all, s)
		}
	}
	return all
}

// Label names the place in a message.
func (p *Subschema) Label() string {
	switch {
	case p.Up == nil:
		return "the root"
	case p.Property():
		return "property " + quoted(p.Name)
	case p.Keyword == "anyOf" || p.Keyword == "oneOf" || p.Keyword == "allOf" || p.Keyword == "prefixItems":
		return "branch " + p.Name + " of " + p.Keyword
	case p.Name != "":
		return p.Keyword + " " + quoted(p.Name)
	}
	return p.Keyword
}
