package arguments

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A variant is one alternative of a union.
type variant struct {
	title string
	node  schema.Node
}

// anyTypes is the number of types from which a union of types is entered like a value of any type.
const anyTypes = 4

// variants returns the alternatives of a subschema: the branches of anyOf or oneOf, or its types.
func (b *builder) variants(n *schema.Node) []variant {
	branches, keyword := b.branches(n)
	var all []variant
	for _, branch := range branches {
		alone, err := b.resolver.Resolve(branch)
		merged, failed := b.resolver.Resolve(conjunction(branch, structural(n.Members), keyword))
		if err != nil || failed != nil {
			return nil
		}
		title, _ := alone.Text("title")
		if ref, ok := (&schema.Node{Members: membersOf(branch)}).Text("$ref"); ok && title == "" {
			title = path.Base(ref)
		}
		all = append(all, variant{title, merged})
	}
	if types := n.Types(); keyword == "" && len(types) > 1 && len(types) < anyTypes {
		for _, name := range types {
			all = append(all, variant{"", withoutAnnotations(replaced(*n, "type", jsonText(name)))})
		}
	}
	return all
}

// branches returns the alternatives of anyOf or oneOf, if they differ in more than constraints: a choice between
// required properties is validated, but does not change the form.
func (b *builder) branches(n *schema.Node) ([]json.RawMessage, string) {
	for _, keyword := range []string{"oneOf", "anyOf"} {
		raw, _ := n.Get(keyword)
		branches, err := schema.Elements(raw)
		if err == nil && slices.ContainsFunc(branches, isStructural) {
			return branches, keyword
		}
	}
	return nil, ""
}

func isStructural(branch json.RawMessage) bool {
	return slices.ContainsFunc(membersOf(branch), func(m schema.Member) bool {
		switch m.Name {
		case "type", "properties", "items", "$ref", "allOf", "anyOf", "oneOf", "const", "enum", "format", "pattern":
			return true
		}
		return false
	})
}

func membersOf(raw json.RawMessage) []schema.Member {
	members, _ := schema.Members(raw)
	return members
}

// structural omits annotations, which describe the union and not its variants.
func structural(members []schema.Member) []schema.Member {
	return slices.DeleteFunc(slices.Clone(members), func(m schema.Member) bool {
		switch m.Name {
		case "title", "description", "default", "examples", "discriminator", "$defs", "definitions", "$schema", "$id":
			return true
		}
		return false
	})
}

func withoutAnnotations(n schema.Node) schema.Node {
	n.Members = structural(n.Members)
	return n
}

// union creates the fields of the variants. A variant that is the union itself adds nothing.
func (b *builder) union(f *Field, variants []variant, depth int) error {
	for _, v := range variants {
		inner := b.fieldOf(v.node, depth+1)
		if inner.Target != nil && inner.Kind == KindUnion {
			continue
		}
		inner.Required = true
		inner.Label = variantLabel(v.title, inner)
		f.Variants = append(f.Variants, *inner)
	}
	distinguish(f.Variants)
	return nil
}

// variantLabel names a variant: by its title, by its constant property, or by its type.
func variantLabel(title string, f *Field) string {
	if title != "" {
		return title
	}
	for i := range f.Fields {
		if inner := &f.Fields[i]; inner.Kind == KindEnum && len(inner.Options) == 1 {
			return inner.Name + ": " + inner.Options[0].Text
		}
	}
	switch f.Kind {
	case KindRows:
		return "list of objects"
	case KindList:
		if f.Items != nil && f.Items.Kind != KindJSON {
			return "list of " + string(f.Items.Kind)
		}
	case KindEnum:
		var texts []string
		for _, o := range f.Options[:min(3, len(f.Options))] {
			texts = append(texts, o.Text)
		}
		return strings.Join(texts, ", ")
	}
	if f.Format != "" && f.Format != "multiline" {
		return f.Format
	}
	return string(f.Kind)
}
