package config

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// The limits of a TOML file: the depth of tables and lists, and the number of keys.
const (
	maxDepth = 64
	maxKeys  = 20_000
)

// A node is a table, a list or another value of a TOML file.
type node struct {
	name    string
	at      int // the offset of the value, or of the header of a table
	table   bool
	header  bool // of a table: it has a header
	list    bool
	members []*node // of a table or a list
	json    string  // of another value
}

// A tomlError is a fault in a TOML file.
type tomlError struct {
	at      int
	message string
}

func (e *tomlError) Error() string { return e.message }

// A tomlReader reads a TOML file.
type tomlReader struct {
	source []byte
	at     int
	keys   int // how many were read
}

func (r *tomlReader) fail(format string, args ...any) error {
	return &tomlError{r.at, fmt.Sprintf(format, args...)}
}

// readTOML reads a file.
func readTOML(source []byte) (*node, error) {
	r := &tomlReader{source: source}
	root := &node{table: true}
	current := root
	for {
		r.blank()
		if r.at == len(source) {
			return root, nil
		}
		var err error
		if r.peek() == '[' {
			current, err = r.section(root)
		} else {
			err = r.pair(current, 0)
		}
		if err == nil {
			err = r.lineEnd()
		}
		if err != nil {
			return nil, err
		}
	}
}

// peek returns the next byte; 0 at the end.
func (r *tomlReader) peek() byte {
	if r.at < len(r.source) {
		return r.source[r.at]
	}
	return 0
}

// take skips a text if it is next.
func (r *tomlReader) take(text string) bool {
	if bytes.HasPrefix(r.source[r.at:], []byte(text)) {
		r.at += len(text)
		return true
	}
	return false
}

func (r *tomlReader) spaces() {
	for r.peek() == ' ' || r.peek() == '\t' {
		r.at++
	}
}

func (r *tomlReader) comment() {
	if r.peek() != '#' {
		return
	}
	for r.at < len(r.source) && r.peek() != '\n' {
		r.at++
	}
}

// blank skips spaces, comments and ends of lines.
func (r *tomlReader) blank() {
	for {
		r.spaces()
		r.comment()
		if !r.take("\n") && !r.take("\r\n") {
			return
		}
	}
}

func (r *tomlReader) lineEnd() error {
	r.spaces()
	r.comment()
	if r.at == len(r.source) || r.take("\n") || r.take("\r\n") {
		return nil
	}
	return r.fail("unexpected %q, expected the end of the line", r.peek())
}

// section reads the header of a table, and returns the table.
func (r *tomlReader) section(root *node) (*node, error) {
	start := r.at
	r.at++
	closing, list := "]", false
	if r.take("[") {
		closing, list = "]]", true
	}
	path, err := r.path()
	if err != nil {
		return nil, err
	}
	if !r.take(closing) {
		return nil, r.fail("expected %s after the name of the table", closing)
	}
	parent, ok := root.descend(path[:len(path)-1], start)
	if !ok {
		return nil, &tomlError{start, fmt.Sprintf("%s is not a table", strings.Join(path[:len(path)-1], "."))}
	}
	name := path[len(path)-1]
	if list {
		return parent.item(name, start)
	}
	table, ok := parent.descend([]string{name}, start)
	if !ok || table.header {
		return nil, &tomlError{start, fmt.Sprintf("duplicate key %s", strings.Join(path, "."))}
	}
	table.header, table.at = true, start
	return table, nil
}

// item adds a table to a list of tables.
func (n *node) item(name string, at int) (*node, error) {
	list := n.member(name)
	if list == nil {
		list = &node{name: name, at: at, list: true, header: true}
		n.members = append(n.members, list)
	}
	if !list.list || !list.header {
		return nil, &tomlError{at, fmt.Sprintf("%s is not a list of tables", name)}
	}
	table := &node{at: at, table: true, header: true}
	list.members = append(list.members, table)
	return table, nil
}

func (n *node) member(name string) *node {
	if i := slices.IndexFunc(n.members, func(m *node) bool { return m.name == name }); i >= 0 {
		return n.members[i]
	}
	return nil
}

// descend returns the table at a path, and creates it if there is none. Of a list of tables it is the last one.
func (n *node) descend(path []string, at int) (*node, bool) {
	for _, name := range path {
		next := n.member(name)
		if next == nil {
			next = &node{name: name, at: at, table: true}
			n.members = append(n.members, next)
		}
		if next.list && next.header {
			next = next.members[len(next.members)-1]
		}
		if !next.table {
			return nil, false
		}
		n = next
	}
	return n, true
}

// pair reads a key and its value into a table.
func (r *tomlReader) pair(table *node, depth int) error {
	start := r.at
	path, err := r.path()
	if err != nil {
		return err
	}
	if !r.take("=") {
		return r.fail("expected = after the key %s", strings.Join(path, "."))
	}
	r.spaces()
	value, err := r.value(depth + len(path))
	if err != nil {
		return err
	}
	value.name = path[len(path)-1]
	parent, ok := table.descend(path[:len(path)-1], start)
	if !ok || parent.member(value.name) != nil {
		return &tomlError{start, fmt.Sprintf("duplicate key %s", strings.Join(path, "."))}
	}
	parent.members = append(parent.members, value)
	return nil
}

// path reads a key, which may have dots.
func (r *tomlReader) path() ([]string, error) {
	var path []string
	for {
		r.spaces()
		key, err := r.key()
		if err != nil {
			return nil, err
		}
		path = append(path, key)
		if r.keys++; r.keys > maxKeys {
			return nil, r.fail("the file has more than %d keys", maxKeys)
		}
		r.spaces()
		if len(path) > maxDepth {
			return nil, r.fail("a key has more than %d parts", maxDepth)
		}
		if !r.take(".") {
			return path, nil
		}
	}
}
