package lint

// describes reports whether an object schema is checked on its own: a condition allows nothing, and a branch only adds
// to the object that its owner describes.
func describes(p *Subschema) bool {
	if !p.Object() || p.Conditional() {
		return false
	}
	for at := p; at.Up != nil && composes(at.Keyword); at = at.Up {
		alternative := at.Keyword == "anyOf" || at.Keyword == "oneOf"
		if at.Up.Object() && (!alternative || len(at.Up.Declared()) > 0) {
			return false
		}
	}
	return true
}
