package subschema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A document is one schema with its subschemas, each parsed once.
type document struct {
	raw    json.RawMessage
	value  any
	draft  int // 4, 6, 7, 2019 or 2020
	root   *node
	nodes  map[string]*node // by JSON Pointer
	labels map[string]string
	ids    *int
	failed error
}

// maxNodes limits the subschemas of one document.
const maxNodes = 3_000

// A node is one subschema: its keywords, parsed.
type node struct {
	id      int
	never   bool // the schema false
	kinds   kinds
	integer bool // of numbers only integers

	ref                 *node
	allOf, anyOf, oneOf []*node
	not                 *node
	cond, then, other   *node // if, then and else

	props      map[string]*node
	patterned  map[string]*node
	additional *node // nil if absent
	names      *node // propertyNames; nil if absent or if every name is accepted
	required   []string
	minProps   int
	maxProps   int // -1 if absent

	prefix   []*node
	items    *node // nil if absent
	minItems int
	maxItems int
	unique   bool

	enum   []any           // nil if absent
	keys   map[string]bool // of enum; see has
	bounds bounds
	minLen int
	maxLen int

	pattern string
	opaque  []string // keywords that are only compared as text
	value   any      // as written
	draft   int
	canon   *string // see canonical
}

// errTooLarge reports that a schema exceeds the bounds of a comparison.
var errTooLarge = errors.New("the schema is too large to compare")

func (c *checker) document(raw json.RawMessage) (*document, error) {
	d := &document{raw: raw, nodes: map[string]*node{}, ids: &c.ids}
	if len(raw) > 1<<20 {
		return nil, errTooLarge
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&d.value); err != nil {
		return nil, fmt.Errorf("not valid JSON: %w", err)
	}
	d.draft = draftOf(d.value)
	d.root = d.at("", d.value, 0)
	return d, d.failed
}

func draftOf(value any) int {
	top, _ := value.(map[string]any)
	name, _ := top["$schema"].(string)
	for part, draft := range map[string]int{"draft-04": 4, "draft-06": 6, "draft-07": 7, "2019-09": 2019} {
		if strings.Contains(name, part) {
			return draft
		}
	}
	return 2020
}

func (d *document) fail(format string, args ...any) {
	if d.failed == nil {
		d.failed = fmt.Errorf(format, args...)
	}
}

// maxDepth limits the nesting of subschemas.
const maxDepth = 64

// at parses the subschema at a pointer, once.
func (d *document) at(pointer string, value any, depth int) *node {
	if n, ok := d.nodes[pointer]; ok {
		return n
	}
	*d.ids++
	n := &node{id: *d.ids, value: value, draft: d.draft, kinds: allKinds, maxProps: -1, maxItems: -1, maxLen: -1}
	d.nodes[pointer] = n
	if len(d.nodes) > maxNodes || depth > maxDepth {
		d.failed = errTooLarge
		return n
	}
	switch value := value.(type) {
	case bool:
		if n.never = !value; n.never {
			n.kinds = 0
		}
	case map[string]any:
		p := parser{d: d, n: n, pointer: pointer, depth: depth, in: value}
		p.parse()
	default:
		d.fail("%s: not a schema", pointerLabel(pointer))
	}
	return n
}

// has reports whether the enum has a value.
func (n *node) has(key string) bool {
	if n.keys == nil {
		n.keys = make(map[string]bool, len(n.enum))
		for _, value := range n.enum {
			n.keys[valueKey(value)] = true
		}
	}
	return n.keys[key]
}

func pointerLabel(pointer string) string {
	if pointer == "" {
		return "root"
	}
	return pointer
}

// follow resolves a reference within the document.
func (d *document) follow(ref string, depth int) *node {
	fragment, ok := strings.CutPrefix(ref, "#")
	if !ok {
		d.fail("reference %q is not followed", ref)
		return &node{kinds: allKinds}
	}
	if plain, err := url.PathUnescape(fragment); err == nil {
		fragment = plain
	}
	if fragment != "" && fragment[0] != '/' {
		pointer, ok := d.anchors()[fragment]
		if !ok {
			d.fail("unresolved reference %q", ref)
			return &node{kinds: allKinds}
		}
		fragment = pointer
	}
	value := d.value
	for _, token := range strings.Split(fragment, "/")[min(1, len(fragment)):] {
		if value, ok = step(value, token); !ok {
			d.fail("unresolved reference %q", ref)
			return &node{kinds: allKinds}
		}
	}
	return d.at(fragment, value, depth+1)
}

func step(value any, token string) (any, bool) {
	token = schema.TokenName(token)
	switch value := value.(type) {
	case map[string]any:
		inner, ok := value[token]
		return inner, ok
	case []any:
		i, err := strconv.Atoi(token)
		if err != nil || i < 0 || i >= len(value) {
			return nil, false
		}
		return value[i], true
	}
	return nil, false
}

// anchors indexes the anchors of the document by name.
func (d *document) anchors() map[string]string {
	if d.labels != nil {
		return d.labels
	}
	d.labels = map[string]string{}
	var walk func(pointer string, value any)
	walk = func(pointer string, value any) {
		switch value := value.(type) {
		case map[string]any:
			if name, ok := value["$anchor"].(string); ok {
				d.labels[name] = pointer
			}
			for key, inner := range value {
				walk(pointer+"/"+schema.Token(key), inner)
			}
		case []any:
			for i, inner := range value {
				walk(pointer+"/"+strconv.Itoa(i), inner)
			}
		}
	}
	walk("", d.value)
	return d.labels
}
