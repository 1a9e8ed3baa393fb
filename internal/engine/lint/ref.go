package lint

import (
	"net/url"
	"strings"
)

// Ref is the target of the $ref of p inside its own document; nil if p has none, or it leads elsewhere.
func (p *Subschema) Ref() *Subschema { return p.ref }

// resolveAll follows every reference once.
func (d *Document) resolveAll() {
	var anchors map[string]*Subschema
	for _, p := range d.Subschemas {
		ref, ok := p.Text("$ref")
		if !ok {
			continue
		}
		if anchors == nil {
			anchors = d.anchors()
		}
		p.ref = d.resolve(ref, anchors)
	}
}

func (d *Document) anchors() map[string]*Subschema {
	known := map[string]*Subschema{}
	for _, p := range d.Subschemas {
		if anchor, ok := p.Text("$anchor"); ok && known[anchor] == nil {
			known[anchor] = p
		}
	}
	return known
}

// resolve follows a reference by JSON Pointer or anchor.
func (d *Document) resolve(ref string, anchors map[string]*Subschema) *Subschema {
	fragment, local := d.fragment(ref)
	if !local {
		return nil
	}
	if decoded, err := url.PathUnescape(fragment); err == nil {
		fragment = decoded
	}
	if fragment == "" || fragment[0] == '/' {
		return d.at[fragment]
	}
	return anchors[fragment]
}

// fragment returns the part after the # of a reference into this document, which may be written with the root's own
// $id.
func (d *Document) fragment(ref string) (string, bool) {
	base, fragment, _ := strings.Cut(ref, "#")
	if base == "" {
		return fragment, true
	}
	if root := d.Root(); root != nil {
		if id, ok := root.Text("$id"); ok && strings.TrimSuffix(id, "#") == base {
			return fragment, true
		}
	}
	return "", false
}

// Followed is p, or the end of its chain of references. For a circular chain it returns the place where the cycle was
// detected.
func (p *Subschema) Followed() *Subschema {
	for range len(p.Doc.Subschemas) {
		next := p.Ref()
		if next == nil {
			return p
		}
		p = next
	}
	return p
}

// InPlace lists the places that validate the same value as p: the target of its reference and the branches that it
// composes. Conditions (not, if) also validate it but allow nothing by themselves, so they are skipped.
func (p *Subschema) InPlace() []*Subschema {
	var all []*Subschema
	if target := p.Ref(); target != nil {
		all = append(all, target)
	}
	for _, child := range p.Children {
		if composes(child.Keyword) {
			all = append(all, child)
		}
	}
	return all
}

// partners lists every place that validates the same value as p, including conditions and excluding p.
func (p *Subschema) partners() []*Subschema {
	seen := map[*Subschema]bool{p: true}
	var all []*Subschema
	for queue := []*Subschema{p}; len(queue) > 0; queue = queue[1:] {
		for _, next := range append(queue[0].InPlace(), queue[0].Under("if")...) {
			if !seen[next] {
				seen[next] = true
				all, queue = append(all, next), append(queue, next)
			}
		}
	}
	return all
}

// composes reports whether a keyword holds schemas for the same value that its owner validates.
func composes(keyword string) bool {
	switch keyword {
	case "allOf", "anyOf", "oneOf", "then", "else", "dependentSchemas", "dependencies":
		return true
	}
	return false
}

// Conditional reports whether p is inside a condition (not, if), where a schema forbids or requires and allows nothing.
func (p *Subschema) Conditional() bool {
	for ; p != nil; p = p.Up {
		if p.Keyword == "not" || p.Keyword == "if" {
			return true
		}
	}
	return false
}

// declaredBeside holds the names of the properties that are declared by the place and by all places that validate the
// same object.
func declaredBeside(place *Subschema) map[string]bool {
	known, seen := map[string]bool{}, map[*Subschema]bool{place: true}
	for queue := []*Subschema{place}; len(queue) > 0; queue = queue[1:] {
		for _, property := range queue[0].Declared() {
			known[property.Name] = true
		}
		for _, next := range queue[0].InPlace() {
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return known
}
