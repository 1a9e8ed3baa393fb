package config

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// maxDepth is the depth of tables and lists in a TOML file.
const maxDepth = 64

// A tomlError is a fault in a TOML file.
type tomlError struct {
	at      int
	message string
}

func (e *tomlError) Error() string { return e.message }

// A node is a table, a list or another value of a TOML file, with its position, which decoded values do not have.
type node struct {
	name    string
	at      int // the offset of the value, or of the header of a table
	table   bool
	list    bool
	members []*node          // of a table or a list
	byName  map[string]*node // of a table
	json    string           // of another value
}

// readTOML reads a file.
func readTOML(source []byte) (*node, error) {
	var decoded map[string]any
	if err := toml.Unmarshal(source, &decoded); err != nil {
		return nil, tomlFault(source, err)
	}
	root := &node{table: true}
	current := root
	p := &unstable.Parser{}
	for p.Reset(source); p.NextExpression(); {
		e := p.Expression()
		switch e.Kind {
		case unstable.KeyValue:
			current.add(e)
		case unstable.Table, unstable.ArrayTable:
			path, at := keyOf(e)
			at = startOfLine(source, at)
			current = root.descend(path[:len(path)-1], at)
			if last := path[len(path)-1]; e.Kind == unstable.ArrayTable {
				current = current.item(last, at)
			} else {
				current = current.descend([]string{last}, at)
				current.at = at
			}
		}
	}
	if deep := root.below(maxDepth); deep != nil {
		return nil, &tomlError{deep.at, fmt.Sprintf("the nesting is deeper than %d", maxDepth)}
	}
	return root, nil
}

// below returns a node that is deeper than allowed; nil if there is none.
func (n *node) below(depth int) *node {
	if depth < 0 {
		return n
	}
	for _, m := range n.members {
		if deep := m.below(depth - 1); deep != nil {
			return deep
		}
	}
	return nil
}

// tomlFault returns the fault that a decoder found, with its offset.
func tomlFault(source []byte, err error) *tomlError {
	fault := &tomlError{message: strings.TrimPrefix(err.Error(), "toml: ")}
	if strings.HasPrefix(fault.message, "expected keyword") { // the decoder guesses from the first letter
		fault.message = "expected a value; text needs quotes"
	}
	var found *toml.DecodeError
	if errors.As(err, &found) {
		row, column := found.Position()
		for ; row > 1; row-- {
			fault.at += bytes.IndexByte(source[fault.at:], '\n') + 1
		}
		fault.at = min(fault.at+column-1, len(source))
	}
	return fault
}

// startOfLine is the offset of the first character in the line of an offset: the header of a table has its own line.
func startOfLine(source []byte, at int) int {
	line := source[bytes.LastIndexByte(source[:at], '\n')+1 : at]
	return at - len(bytes.TrimLeft(line, " \t"))
}

// keyOf returns the parts of a key, and its offset.
func keyOf(e *unstable.Node) (path []string, at int) {
	for key := e.Key(); key.Next(); {
		if path == nil {
			at = int(key.Node().Raw.Offset)
		}
		path = append(path, string(key.Node().Data))
	}
	return path, at
}

// add adds a key and its value to a table.
func (n *node) add(e *unstable.Node) {
	path, at := keyOf(e)
	table := n.descend(path[:len(path)-1], at)
	table.set(path[len(path)-1], valueOf(e.Value(), at))
}

func (n *node) set(name string, value *node) {
	if n.byName == nil {
		n.byName = map[string]*node{}
	}
	value.name = name
	n.members, n.byName[name] = append(n.members, value), value
}

// descend returns the table at a path, and creates it if there is none. Of a list of tables it is the last one.
func (n *node) descend(path []string, at int) *node {
	for _, name := range path {
		next := n.byName[name]
		if next == nil {
			next = &node{at: at, table: true}
			n.set(name, next)
		}
		if next.list {
			next = next.members[len(next.members)-1]
		}
		n = next
	}
	return n
}

// item adds a table to a list of tables.
func (n *node) item(name string, at int) *node {
	list := n.byName[name]
	if list == nil {
		list = &node{at: at, list: true}
		n.set(name, list)
	}
	table := &node{at: at, table: true}
	list.members = append(list.members, table)
	return table
}

// valueOf returns a value. The parser knows no offset of lists: that of their key is used.
func valueOf(v *unstable.Node, key int) *node {
	n := &node{at: key}
	if v.Raw.Length > 0 {
		n.at = int(v.Raw.Offset)
	}
	switch v.Kind {
	case unstable.Array:
		n.list = true
		for items := v.Children(); items.Next(); {
			n.members = append(n.members, valueOf(items.Node(), n.at))
		}
	case unstable.InlineTable:
		n.table = true
		for pairs := v.Children(); pairs.Next(); {
			n.add(pairs.Node())
		}
	case unstable.Bool:
		n.json = string(v.Data)
	case unstable.Integer, unstable.Float:
		n.json = numberOf(string(v.Data))
	default:
		n.json = quoteKey(string(v.Data))
	}
	return n
}

// numberOf returns a number as JSON, which has no infinity and no NaN: these are strings.
func numberOf(text string) string {
	if n, err := strconv.ParseInt(text, 0, 64); err == nil {
		return strconv.FormatInt(n, 10)
	}
	if strings.HasSuffix(text, "inf") || strings.HasSuffix(text, "nan") {
		return quoteKey(text)
	}
	return strings.ReplaceAll(strings.TrimPrefix(text, "+"), "_", "")
}
