package lint

// Referenced reports whether p applies to a value: it is not part of a definition ($defs, definitions) that no other
// schema refers to. Generators emit such leftovers, and they constrain nothing.
func (p *Subschema) Referenced() bool {
	if p.Doc.reached == nil {
		p.Doc.reach()
	}
	return p.Doc.reached[p]
}

// reach finds all places that are reachable from the root.
func (d *Document) reach() {
	d.reached = map[*Subschema]bool{}
	dynamic := false
	for _, p := range d.Subschemas {
		dynamic = dynamic || p.Has("$dynamicRef") || p.Has("$recursiveRef")
	}
	if root := d.Root(); root != nil {
		d.follow(root, dynamic)
	}
}

// follow marks a place, its subschemas and the target of its reference. The target of a dynamic reference is unknown,
// so all definitions count.
func (d *Document) follow(p *Subschema, definitions bool) {
	if d.reached[p] {
		return
	}
	d.reached[p] = true
	if p.Ref() != nil {
		d.follow(p.Ref(), definitions)
	}
	for _, child := range p.Children {
		if definitions || child.Keyword != "$defs" && child.Keyword != "definitions" {
			d.follow(child, definitions)
		}
	}
}
