package schema

import (
	"encoding/json"
	"errors"
	"strconv"
)

// MaxDepth is the maximum nesting of objects and arrays in a schema. The deepest seen in real tools is 12.
const MaxDepth = 64

// ErrDepth reports that a schema is nested deeper than [MaxDepth] and was walked only up to it.
var ErrDepth = errors.New("the schema nests deeper than 64 levels")

// A Node is one subschema of a document.
type Node struct {
	Pointer string          // its location
	Parent  string          // the location of the parent subschema; empty for the root
	Keyword string          // the keyword that led here, such as properties; empty for the root
	Name    string          // the property name, definition name or index under Keyword, if it has one
	Raw     json.RawMessage // the subschema as written
	Depth   int             // how many subschemas enclose it
	// the keywords of an object, in document order; nil for true, false and what is not a schema
	Members []Member
}

// Get returns the value of a keyword of this subschema. Of duplicates the last is used.
func (n *Node) Get(keyword string) (json.RawMessage, bool) {
	for i := len(n.Members) - 1; i >= 0; i-- {
		if n.Members[i].Name == keyword {
			return n.Members[i].Value, true
		}
	}
	return nil, false
}

// Has reports whether the subschema uses a keyword.
func (n *Node) Has(keyword string) bool {
	_, ok := n.Get(keyword)
	return ok
}

// Text returns the value of a keyword that is a string.
func (n *Node) Text(keyword string) (string, bool) {
	value, ok := n.Get(keyword)
	if !ok {
		return "", false
	}
	return Text(value)
}

// Types lists the values of the type keyword, whether it is a string or an array.
func (n *Node) Types() []string {
	value, ok := n.Get("type")
	if !ok {
		return nil
	}
	if name, ok := Text(value); ok {
		return []string{name}
	}
	return texts(value)
}

// At returns the JSON Pointer of a keyword of this subschema.
func (n *Node) At(keyword string) string { return n.Pointer + "/" + Token(keyword) }

// texts lists the strings of an array; other elements are ignored.
func texts(value json.RawMessage) []string {
	elements, err := Elements(value)
	if err != nil {
		return nil
	}
	var names []string
	for _, element := range elements {
		if name, ok := Text(element); ok {
			names = append(names, name)
		}
	}
	return names
}

// Walk visits every subschema of doc in document order, a subschema before those inside it. Each object is
// split into fields once, and the visitor gets them. If visit returns false, the content of that subschema is
// skipped. Unknown keywords are not entered. [ErrDepth] is returned after everything down to the limit was
// visited.
func Walk(doc json.RawMessage, visit func(Node) bool) error {
	if !valid(doc) {
		return &SyntaxError{0, "one valid JSON value"}
	}
	return walkValid(doc, visit)
}

// walkValid is Walk for a document that is known to be valid JSON.
func walkValid(doc json.RawMessage, visit func(Node) bool) error {
	w := walker{visit: visit}
	w.walk(Node{Raw: doc}, 1)
	if w.tooDeep {
		return ErrDepth
	}
	return nil
}

type walker struct {
	visit   func(Node) bool
	tooDeep bool
}

// walk visits one subschema; level counts JSON nesting, which the limit applies to.
func (w *walker) walk(n Node, level int) {
	if level > MaxDepth {
		w.tooDeep = true
		return
	}
	if Kind(n.Raw) == '{' {
		n.Members, _ = Members(n.Raw)
	}
	if !w.visit(n) {
		return
	}
	for _, m := range n.Members {
		if held := shapeOf(m.Name); held != holdsNone {
			w.enter(&n, m, held, level)
		}
	}
}

func (w *walker) enter(parent *Node, m Member, held shape, level int) {
	pointer := parent.At(m.Name)
	kind := Kind(m.Value)
	switch {
	case kind == '{' && held == holdsMap:
		w.enterMap(parent, m, pointer, level)
	case kind == '[' && (held == holdsList || held == holdsEither):
		elements, _ := Elements(m.Value)
		for i, element := range elements {
			name := strconv.Itoa(i)
			w.walk(childNode(parent, m.Name, name, pointer+"/"+name, element), level+2)
		}
	case held == holdsSchema || held == holdsEither:
		w.walk(childNode(parent, m.Name, "", pointer, m.Value), level+1)
	}
}

func (w *walker) enterMap(parent *Node, m Member, pointer string, level int) {
	entries, _ := Members(m.Value)
	for _, entry := range entries {
		if m.Name == "dependencies" && Kind(entry.Value) == '[' {
			continue // a list of names, not a schema
		}
		w.walk(childNode(parent, m.Name, entry.Name, pointer+"/"+Token(entry.Name), entry.Value), level+2)
	}
}

func childNode(parent *Node, keyword, name, pointer string, raw json.RawMessage) Node {
	return Node{Pointer: pointer, Parent: parent.Pointer, Keyword: keyword, Name: name, Raw: raw,
		Depth: parent.Depth + 1}
}
