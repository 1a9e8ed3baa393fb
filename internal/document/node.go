// Package document reads YAML files into structs and reports all their problems at once: line, column, the expected
// value, the nearest known key. The same structs define the JSON Schema that editors use.
package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

// Limits of a hand-written file.
const (
	maxBytes = 8 << 20
	maxNodes = 500_000 // after aliases are expanded
	maxDepth = 100
)

// A Kind is the type of a node.
type Kind string

// The kinds of nodes.
const (
	Map    Kind = "a mapping"
	List   Kind = "a list"
	String Kind = "a string"
	Number Kind = "a number"
	Bool   Kind = "true or false"
	Null   Kind = "nothing"
)

// A Node is a value of a YAML file and its location.
type Node struct {
	Kind         Kind
	Line, Column int
	Pairs        []Pair
	Items        []*Node
	Text         string // of a scalar, in JSON notation; of a string, the string itself
}

// A Pair is a key of a mapping and its value.
type Pair struct {
	Key          string
	Line, Column int
	Value        *Node
}

// Get returns the value of a key; nil if there is none.
func (n *Node) Get(key string) *Node {
	for _, p := range n.Pairs {
		if p.Key == key {
			return p.Value
		}
	}
	return nil
}

// JSON is the node as JSON. Numbers keep their spelling.
func (n *Node) JSON() json.RawMessage { return n.appendJSON(nil) }

func (n *Node) appendJSON(out []byte) []byte {
	switch n.Kind {
	case Map:
		out = append(out, '{')
		for i, p := range n.Pairs {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(rawjson.AppendQuote(out, p.Key), ':')
			out = p.Value.appendJSON(out)
		}
		return append(out, '}')
	case List:
		out = append(out, '[')
		for i, item := range n.Items {
			if i > 0 {
				out = append(out, ',')
			}
			out = item.appendJSON(out)
		}
		return append(out, ']')
	case String:
		return rawjson.AppendQuote(out, n.Text)
	}
	return append(out, n.Text...)
}

// Parse reads the first document of a YAML file. JSON is YAML.
func Parse(file string, data []byte) (*Node, Problems) {
	if len(data) > maxBytes {
		return nil, Problems{{File: file, Line: 1, Column: 1,
			Message: fmt.Sprintf("the file has %d bytes, expected at most %d", len(data), maxBytes)}}
	}
	// some editors write it at the start of a file
	parsed, err := parser.ParseBytes(bytes.TrimPrefix(data, []byte("\ufeff")), 0)
	if err != nil {
		return nil, Problems{syntaxProblem(file, err)}
	}
	if len(parsed.Docs) > 1 && parsed.Docs[1].Body != nil {
		at := parsed.Docs[1].Body.GetToken().Position
		return nil, Problems{{File: file, Line: at.Line, Column: at.Column,
			Message: "multiple YAML documents are not supported"}}
	}
	c := &converter{file: file, anchors: map[string]ast.Node{}}
	if len(parsed.Docs) == 0 || parsed.Docs[0].Body == nil {
		return &Node{Kind: Null, Line: 1, Column: 1, Text: "null"}, nil
	}
	node := c.node(parsed.Docs[0].Body, 0)
	return node, c.problems
}

func syntaxProblem(file string, err error) Problem {
	p := Problem{File: file, Line: 1, Column: 1, Message: "not YAML: " + strings.SplitN(err.Error(), "\n", 2)[0]}
	var wrong yaml.Error
	if errors.As(err, &wrong) {
		p.Message = "not YAML: " + wrong.GetMessage()
		if strings.Contains(p.Message, "not allowed in this context") {
			p.Message = "not YAML: unexpected value; check the indentation of this line and the one before it"
		}
		if strings.Contains(p.Message, "'\t'") {
			p.Message = "not YAML: tab found; use spaces for indentation"
		}
		if at := wrong.GetToken(); at != nil {
			p.Line, p.Column = at.Position.Line, at.Position.Column
		}
	}
	return p
}

// A converter creates nodes from the parser's tree.
type converter struct {
	file     string
	anchors  map[string]ast.Node
	nodes    int
	problems Problems
}

func (c *converter) wrong(n ast.Node, format string, args ...any) *Node {
	at := n.GetToken().Position
	c.problems = append(c.problems, Problem{File: c.file, Line: at.Line, Column: at.Column,
		Message: fmt.Sprintf(format, args...)})
	return &Node{Kind: Null, Line: at.Line, Column: at.Column, Text: "null"}
}

func (c *converter) node(n ast.Node, depth int) *Node {
	if c.nodes++; c.nodes > maxNodes || depth > maxDepth {
		if len(c.problems) > 0 {
			return &Node{Kind: Null, Text: "null"}
		}
		return c.wrong(n, "the file has more than %d values or nests deeper than %d levels", maxNodes, maxDepth)
	}
	at := n.GetToken().Position
	out := &Node{Line: at.Line, Column: at.Column}
	switch v := n.(type) {
	case *ast.AnchorNode:
		c.anchors[v.Name.GetToken().Value] = v.Value
		return c.node(v.Value, depth+1)
	case *ast.AliasNode:
		anchor, ok := c.anchors[v.Value.GetToken().Value]
		if !ok {
			return c.wrong(n, "undefined YAML alias *%s; define the anchor &%[1]s before it", v.Value.GetToken().Value)
		}
		return c.node(anchor, depth+1)
	case *ast.TagNode:
		return c.node(v.Value, depth+1)
	case *ast.MappingNode:
		out.Kind = Map
		if len(v.Values) > 0 { // the token of a mapping is the colon of its first pair
			first := v.Values[0].Key.GetToken().Position
			out.Line, out.Column = first.Line, first.Column
		}
		for _, pair := range v.Values {
			c.pair(out, pair, depth)
		}
	case *ast.MappingValueNode:
		first := v.Key.GetToken().Position
		out.Kind, out.Line, out.Column = Map, first.Line, first.Column
		c.pair(out, v, depth)
	case *ast.SequenceNode:
		out.Kind = List
		for _, item := range v.Values {
			out.Items = append(out.Items, c.node(item, depth+1))
		}
	default:
		return c.scalar(n, out)
	}
	return out
}

// scalar creates a node from a scalar value; out has its location.
func (c *converter) scalar(n ast.Node, out *Node) *Node {
	switch v := n.(type) {
	case *ast.LiteralNode:
		out.Kind, out.Text = String, v.Value.Value
	case *ast.StringNode:
		out.Kind, out.Text = String, v.Value
		if v.GetToken().Type == token.StringType && isNumber(v.Value) { // 1e5, which the parser treats as a string
			out.Kind = Number
		}
	case *ast.BoolNode:
		out.Kind, out.Text = Bool, strconv.FormatBool(v.Value)
	case *ast.IntegerNode:
		out.Kind, out.Text = Number, number(v.GetToken().Value, fmt.Sprint(v.Value))
	case *ast.FloatNode:
		out.Kind, out.Text = Number, number(v.GetToken().Value, strconv.FormatFloat(v.Value, 'g', -1, 64))
	case *ast.InfinityNode, *ast.NanNode:
		return c.wrong(n, "%s is not a JSON number", n.GetToken().Value)
	case *ast.NullNode:
		out.Kind, out.Text = Null, "null"
	default:
		return c.wrong(n, "%s is not supported here", n.Type())
	}
	return out
}

// isNumber reports whether a text is a JSON number.
func isNumber(text string) bool {
	return text != "" && (text[0] == '-' || text[0] >= '0' && text[0] <= '9') && json.Valid([]byte(text))
}

// number is a number as written, if that is valid JSON, and otherwise its value.
func number(written, value string) string {
	if json.Valid([]byte(written)) {
		return written
	}
	return value
}

// pair adds a pair. A merge key adds the pairs of other mappings; existing pairs take precedence.
func (c *converter) pair(out *Node, v *ast.MappingValueNode, depth int) {
	if _, merge := v.Key.(*ast.MergeKeyNode); merge {
		c.merge(out, c.node(v.Value, depth+1))
		return
	}
	at := v.Key.GetToken().Position
	key := v.Key.GetToken().Value
	if s, ok := v.Key.(*ast.StringNode); ok {
		key = s.Value
	}
	pair := Pair{Key: key, Line: at.Line, Column: at.Column, Value: c.node(v.Value, depth+1)}
	for i := range out.Pairs {
		if out.Pairs[i].Key == key {
			out.Pairs[i] = pair
			return
		}
	}
	out.Pairs = append(out.Pairs, pair)
}

func (c *converter) merge(out, from *Node) {
	switch from.Kind {
	case List:
		for _, item := range from.Items {
			c.merge(out, item)
		}
	case Map:
		for _, p := range from.Pairs {
			if out.Get(p.Key) == nil {
				out.Pairs = append(out.Pairs, p)
			}
		}
	}
}
