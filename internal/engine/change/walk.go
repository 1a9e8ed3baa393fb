package change

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/subschema"
)

// A step is a location in both schemas, and how a value gets there from the root.
type step struct {
	up     *step
	label  string // of the property, such as filter.status; empty for the root
	path   string // JSON Pointer within the schema
	name   string // the property, or "" for the elements of an array
	holder view   // the inner schema that contains it
	quiet  bool   // inside alternatives: only texts are compared
	depth  int
}

func (s *step) property(name string, holder view) step {
	label := name
	if s.label != "" {
		label = s.label + "." + name
	}
	return step{up: s, label: label, path: s.path + "/properties/" + schema.Token(name), name: name, holder: holder,
		quiet: s.quiet, depth: s.depth + 1}
}

func (s *step) items(holder view) step {
	return step{up: s, label: s.label + "[]", path: s.path + "/items", holder: holder, quiet: s.quiet,
		depth: s.depth + 1}
}

// A view is a subschema with its reference followed.
type view struct {
	root any // the document, for references
	in   map[string]any
}

// viewOf follows references and merges an allOf with one entry, which generators write for a reference with texts.
func viewOf(root, value any) view {
	v := view{root: root, in: map[string]any{}}
	for range 16 {
		s, ok := value.(map[string]any)
		if !ok {
			if value == false {
				v.in["not"] = map[string]any{}
			}
			return v
		}
		for name, inner := range s {
			if _, own := v.in[name]; !own && name != "$ref" && name != "$defs" && name != "definitions" {
				v.in[name] = inner
			}
		}
		if ref, ok := s["$ref"].(string); ok {
			value, ok = follow(root, ref)
			if !ok {
				v.in["$ref"] = ref
				return v
			}
			continue
		}
		list, _ := v.in["allOf"].([]any)
		if len(list) != 1 {
			return v
		}
		delete(v.in, "allOf")
		value = list[0]
	}
	return v
}

// follow finds the target of a local reference.
func follow(root any, ref string) (any, bool) {
	pointer, ok := strings.CutPrefix(ref, "#")
	if !ok || pointer != "" && pointer[0] != '/' {
		return nil, false
	}
	value := root
	for _, part := range strings.Split(pointer, "/")[min(1, len(pointer)):] {
		in, isObject := value.(map[string]any)
		if value, ok = in[schema.TokenName(part)]; !ok || !isObject {
			return nil, false
		}
	}
	return value, true
}

func (v view) child(value any) view { return viewOf(v.root, value) }

func (v view) properties() map[string]any {
	properties, _ := v.in["properties"].(map[string]any)
	return properties
}

func (v view) requires(name string) bool {
	list, _ := v.in["required"].([]any)
	return slices.Contains(list, any(name))
}

// alone is the subschema as a document of its own, without some keywords.
func (v view) alone(without ...string) map[string]any {
	document := maps.Clone(v.in)
	if root, ok := v.root.(map[string]any); ok {
		for _, name := range []string{"$schema", "$defs", "definitions"} {
			if value, ok := root[name]; ok {
				document[name] = value
			}
		}
	}
	for _, name := range without {
		if name != "$schema" { // it decides what the others mean
			delete(document, name)
		}
	}
	return document
}

// maxWalk limits the nesting that is explained; recursive schemas have no end.
const maxWalk = 6

// walk explains the differences of two subschemas.
func (p *pair) walk(at step, was, is view) {
	if at.depth > maxWalk || len(p.found) > 500 || p.clock.Expired() || equal(was.in, is.in) && !hasReference(was.in) {
		return
	}
	p.texts(at, was, is)
	handled := slices.Clone(texts)
	inner := was
	if p.output {
		inner = is
	}
	isObject := len(inner.properties()) > 0 || at.depth == 0
	if isObject && was.properties() != nil && is.properties() != nil || at.depth == 0 {
		p.properties(at, was, is)
		p.additional(at, was, is)
		handled = append(handled, "properties", "required", "additionalProperties")
	}
	if oldItems, ok := was.in["items"].(map[string]any); ok {
		if newItems, ok := is.in["items"].(map[string]any); ok {
			p.walk(at.items(inner), was.child(oldItems), is.child(newItems))
			handled = append(handled, "items")
		}
	}
	p.alternatives(at, was, is)
	if !at.quiet {
		p.constraints(at, was, is, handled)
	}
}

// alternatives compares the texts inside of anyOf and oneOf, whose values are compared as a whole.
func (p *pair) alternatives(at step, was, is view) {
	for _, keyword := range []string{"anyOf", "oneOf"} {
		old, _ := was.in[keyword].([]any)
		now, _ := is.in[keyword].([]any)
		if len(old) != len(now) {
			continue
		}
		for i := range old {
			inside := at
			inside.quiet, inside.depth, inside.path = true, at.depth+1, fmt.Sprintf("%s/%s/%d", at.path, keyword, i)
			p.walk(inside, was.child(old[i]), is.child(now[i]))
		}
	}
}

// subject names the location in messages.
func (p *pair) subject(at step) string {
	if at.label == "" {
		return p.schemaName()
	}
	return p.noun + " " + at.label
}

func (p *pair) add(at step, c Change) {
	c.Path = p.root + at.path + c.Path
	p.found = append(p.found, c)
}

// constraints compares everything that is not explained elsewhere, as a whole.
func (p *pair) constraints(at step, was, is view, handled []string) {
	old, now := was.alone(handled...), is.alone(handled...)
	if equal(constraintsOf(old), constraintsOf(now)) {
		return
	}
	c := Change{Kind: kindOf(p, "changed"), Verdict: Compatible, Message: p.subject(at) + ": " + describe(old, now),
		Basis: "rule: containment",
		Old:   encode(constraintsOf(old)), New: encode(constraintsOf(now))}
	inner, outer := old, now
	if p.output {
		inner, outer = now, old
	}
	if at.depth == 0 { // arguments are an object
		inner, outer = asObject(inner).(map[string]any), asObject(outer).(map[string]any)
	}
	forward := subschema.Compare(encode(inner), encode(outer), p.options(false))
	switch forward.Verdict {
	case subschema.Escapes:
		c.Verdict, c.Basis = Unknown, "could not be confirmed for the whole call"
		value, ok := p.lift(at, decode(forward.Counterexample))
		if proof := p.confirm(value); ok && proof != nil {
			c.Verdict, c.Basis, c.Counterexample = Breaking, "counterexample", proof
		}
	case subschema.Unknown:
		c.Verdict, c.Basis = Unknown, undecided(forward)
	case subschema.Contained:
		if forward.Samples > 0 {
			c.Basis = plural(forward.Samples, "sample")
			break
		}
		if back := subschema.Compare(encode(outer), encode(inner),
			p.options(false)); back.Verdict == subschema.Contained && back.Samples == 0 {
			c.Verdict, c.Basis = Cosmetic, "rule: containment in both directions"
			if onlySafeBounds(old, now) {
				c.Artifact = "safe-integers"
			} else {
				c.Artifact = "rewritten"
			}
		}
	}
	p.add(at, c)
}

func kindOf(p *pair, what string) string { return strings.ReplaceAll(p.noun, " ", "-") + "-" + what }

// lift puts a value into the smallest value of the inner schema.
func (p *pair) lift(at step, value any) (any, bool) {
	for one := &at; one.up != nil; one = one.up {
		if one.name == "" {
			value = []any{value}
			continue
		}
		raw, ok := subschema.Smallest(encode(one.holder.alone()))
		if !ok {
			return nil, false
		}
		holder, ok := decode(raw).(map[string]any)
		if !ok {
			return nil, false
		}
		holder[one.name] = value
		value = holder
	}
	return value, true
}
