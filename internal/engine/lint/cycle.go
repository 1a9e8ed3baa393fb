package lint

// cycles assigns the same number to places that refer to each other, directly or indirectly (Tarjan's strongly
// connected components, linear in the size of the document).
func cycles(doc *Document, next func(*Subschema) []*Subschema) map[*Subschema]int {
	f := circleFinder{next: next, index: map[*Subschema]int{}, low: map[*Subschema]int{}, circle: map[*Subschema]int{}}
	for _, place := range doc.Subschemas {
		if f.index[place] == 0 {
			f.visit(place)
		}
	}
	return f.circle
}

type circleFinder struct {
	next       func(*Subschema) []*Subschema
	index, low map[*Subschema]int
	stack      []*Subschema
	circle     map[*Subschema]int // set once the place has left the stack
}

func (f *circleFinder) visit(place *Subschema) {
	number := len(f.index) + 1
	f.index[place], f.low[place] = number, number
	f.stack = append(f.stack, place)
	for _, to := range f.next(place) {
		if f.index[to] == 0 {
			f.visit(to)
			f.low[place] = min(f.low[place], f.low[to])
		} else if f.circle[to] == 0 {
			f.low[place] = min(f.low[place], f.index[to])
		}
	}
	if f.low[place] != number {
		return
	}
	for {
		last := f.stack[len(f.stack)-1]
		f.stack = f.stack[:len(f.stack)-1]
		f.circle[last] = number
		if last == place {
			return
		}
	}
}

// recursive reports whether the reference at the place leads to a schema that refers back to the place.
func recursive(place *Subschema) bool {
	if place.Ref() == nil {
		return false
	}
	doc := place.Doc
	if doc.circles == nil {
		doc.circles = cycles(doc, func(p *Subschema) []*Subschema {
			if p.Ref() == nil {
				return p.Children
			}
			return append([]*Subschema{p.Ref()}, p.Children...)
		})
	}
	return doc.circles[place] == doc.circles[place.Ref()]
}
