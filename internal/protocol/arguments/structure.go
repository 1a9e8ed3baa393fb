package arguments

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A structure is an object, a list or a union of the schema, built once. One that contains itself, such as a tree,
// becomes a definition that fields refer to.
type structure struct {
	field    Field
	err      error
	building bool
	size     int // fields in it
}

// structure sets the structure of a field, which build creates unless it is known.
func (b *builder) structure(f *Field, kind Kind, n *schema.Node, build func(*Field) error) error {
	key := structureKey(kind, n)
	known, ok := b.structures[key]
	switch {
	case ok && known.building: // it contains itself
		f.Kind, f.Ref, f.Target = kind, b.nameOf(known), &known.field
		return nil
	case ok:
		b.left -= known.size
		f.take(&known.field)
		return known.err
	}
	known = &structure{field: Field{Kind: kind}, building: true}
	b.structures[key] = known
	before := b.left
	known.err = build(&known.field)
	known.building, known.size = false, before-b.left
	f.take(&known.field)
	return known.err
}

// structureKey returns the keywords that define a structure. Equal keywords define equal structures, because all
// references are resolved in the same document.
func structureKey(kind Kind, n *schema.Node) string {
	var values [len(structureKeywords)]json.RawMessage
	size := len(kind) + len(values)
	for i, keyword := range structureKeywords {
		values[i], _ = n.Get(keyword)
		size += len(values[i])
	}
	var key strings.Builder
	key.Grow(size)
	key.WriteString(string(kind))
	for _, value := range values {
		key.WriteByte(0)
		key.Write(value)
	}
	return key.String()
}

var structureKeywords = [...]string{"type", "properties", "required", "additionalProperties", "patternProperties",
	"items", "prefixItems", "additionalItems", "minItems", "maxItems", "anyOf", "oneOf"}

// nameOf returns the name by which fields refer to a structure.
func (b *builder) nameOf(s *structure) string {
	if s.field.Name == "" {
		b.named = append(b.named, s)
		s.field.Name = fmt.Sprintf("d%d", len(b.named))
	}
	return s.field.Name
}

// definitions returns the structures that fields refer to.
func (b *builder) definitions() []Field {
	var all []Field
	for _, s := range b.named {
		if s.err != nil {
			s.field.take(&Field{Kind: KindJSON})
			s.field.Reason = s.err.Error()
		}
		all = append(all, s.field)
	}
	return all
}
