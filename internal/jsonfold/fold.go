// Package jsonfold shows JSON in the space that a reader has: indented where it is long, with long strings and lists
// shortened. It is for people; the bytes are elsewhere.
package jsonfold

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Options limit the space.
type Options struct {
	Width int             // columns of a line
	Lines int             // lines in total
	Items int             // elements of a list that does not fit on a line
	Depth int             // level from which on a value takes one line; 0 for none
	Hide  map[string]bool // names of members whose objects are not shown
	Cut   bool            // the text may end early: what was read is shown
}

// A node is a value, with its text if it is a scalar.
type node struct {
	name    string // in an object, quoted
	text    string
	open    string // { or [, empty for a scalar
	members []node
	size    int // characters on one line
	hidden  bool
}

// maxDepth is the depth from which on values are not shown.
const maxDepth = 100

// Lines returns the value as lines. The error says why it is not JSON.
func Lines(raw []byte, o Options) ([]string, error) {
	d := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	root, err := read(d, 0)
	if err != nil && (!o.Cut || len(root.members) == 0) {
		return nil, err
	}
	if _, more := d.ReadToken(); err == nil && !errors.Is(more, io.EOF) {
		return nil, errors.New("more than one value")
	}
	measure(&root, o)
	w := &writer{o: o}
	w.write(root, 0, "")
	if left := len(w.lines) - o.Lines; left > 2 { // a line about one or two lines would be no shorter
		w.lines = append(w.lines[:o.Lines], fmt.Sprintf("… %d more lines", left))
	}
	return w.lines, nil
}

// read reads a value. With an error, it returns what was read before, and an ellipsis.
func read(d *jsontext.Decoder, depth int) (node, error) {
	if kind := d.PeekKind(); kind != '{' && kind != '[' || depth > maxDepth {
		value, err := d.ReadValue()
		if depth > maxDepth {
			return node{text: "…"}, err
		}
		return node{text: string(value)}, err
	}
	open, err := d.ReadToken()
	if err != nil {
		return node{}, err
	}
	n := node{open: open.String()}
	for {
		switch d.PeekKind() {
		case '}', ']':
			_, err := d.ReadToken()
			return n, err
		}
		var name string
		if n.open == "{" {
			value, err := d.ReadValue()
			if err != nil {
				n.members = append(n.members, node{text: "…"})
				return n, err
			}
			name = string(value)
		}
		member, err := read(d, depth+1)
		if err != nil && member.open == "" {
			member.text = "…"
		}
		member.name = name
		n.members = append(n.members, member)
		if err != nil {
			return n, err
		}
	}
}

// measure determines the size of a value on one line, and what is not shown.
func measure(n *node, o Options) {
	n.size = utf8.RuneCountInString(n.text)
	if n.name != "" {
		n.size += utf8.RuneCountInString(n.name) + 2
	}
	if n.open == "" {
		return
	}
	if n.hidden = o.Hide[strings.Trim(n.name, `"`)] && len(n.members) > 0; n.hidden {
		n.size += 3
		return
	}
	n.size += 2 + 2*max(len(n.members)-1, 0)
	for i := range n.members {
		measure(&n.members[i], o)
		n.size += n.members[i].size
	}
}

type writer struct {
	o     Options
	lines []string
}

// write adds a value. A list shows its first elements, an object all members.
func (w *writer) write(n node, level int, after string) {
	indent := strings.Repeat("  ", level)
	label := ""
	if n.name != "" {
		label = n.name + ": "
	}
	room := w.o.Width - utf8.RuneCountInString(indent) - utf8.RuneCountInString(after)
	if n.size <= room || n.open == "" || n.hidden || len(n.members) == 0 || w.o.Depth > 0 && level >= w.o.Depth {
		w.lines = append(w.lines, indent+cut(oneLine(n), room)+after)
		return
	}
	shown := n.members
	if n.open == "[" && len(shown) > w.o.Items {
		shown = shown[:w.o.Items]
	}
	w.lines = append(w.lines, indent+cut(label, room-1)+n.open)
	for i, m := range shown {
		comma := ","
		if i == len(n.members)-1 {
			comma = ""
		}
		w.write(m, level+1, comma)
		if len(w.lines) > 10*w.o.Lines {
			break // the rest would not be shown
		}
	}
	if left := len(n.members) - len(shown); left > 0 {
		w.lines = append(w.lines, fmt.Sprintf("%s  … %d more", indent, left))
	}
	w.lines = append(w.lines, indent+map[string]string{"{": "}", "[": "]"}[n.open]+after)
}

func oneLine(n node) string {
	var b strings.Builder
	if n.name != "" {
		b.WriteString(n.name + ": ")
	}
	switch {
	case n.open == "":
		b.WriteString(n.text)
	case n.hidden:
		b.WriteString("{…}")
	default:
		b.WriteString(n.open)
		for i, m := range n.members {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(oneLine(m))
		}
		b.WriteString(map[string]string{"{": "}", "[": "]"}[n.open])
	}
	return b.String()
}

// cut shortens text to a number of characters.
func cut(text string, columns int) string {
	if columns < 1 || utf8.RuneCountInString(text) <= columns {
		return text
	}
	size := fmt.Sprintf("… %d bytes", len(text))
	columns = max(columns-utf8.RuneCountInString(size), 1)
	for i := range text {
		if columns == 0 {
			return text[:i] + size
		}
		columns--
	}
	return text
}
