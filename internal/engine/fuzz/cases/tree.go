package cases

import (
	"encoding/json"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A node is one value of a sample, together with the part of the schema that applies to it.
type node struct {
	path     string
	raw      json.RawMessage // of a scalar
	kind     byte            // as schema.Kind has it
	members  []member
	items    []*node
	rules    schema.Node // the schema that applies to it, references resolved
	required bool
	source   *source
}

// A source is the schema that a tree is created from.
type source struct {
	*schema.Resolver
	root json.RawMessage
}

type member struct {
	name  string
	value *node
}

// maxSites limits how much of a sample is varied: deeper or later values vary with their parent.
const maxSites = 200

// buildTree creates the tree of a sample.
func buildTree(raw json.RawMessage, from *source) *node {
	left := maxSites
	return grow(raw, from.root, from, "", true, &left)
}

func grow(raw, rules json.RawMessage, from *source, path string, required bool, left *int) *node {
	*left--
	n := &node{path: path, raw: raw, kind: schema.Kind(raw), required: required, source: from}
	if resolved, err := from.Resolve(rules); err == nil {
		n.rules = resolved
	}
	if values := n.constants(); values != nil {
		if resolved, err := from.Resolve(append(append([]byte(`{"enum":`), values...), '}')); err == nil {
			n.rules = resolved
			return n
		}
	}
	if branch := n.branch(raw); branch != nil {
		return grow(raw, branch, from, path, required, left)
	}
	switch n.kind {
	case '{':
		members, _ := schema.Members(raw)
		needed := n.names("required")
		for _, m := range members {
			if *left <= 0 {
				break
			}
			n.members = append(n.members, member{m.Name,
				grow(m.Value, n.property(m.Name), from, path+"/"+schema.Token(m.Name), needed[m.Name], left)})
		}
	case '[':
		items, _ := schema.Elements(raw)
		for i, item := range items {
			if *left <= 0 {
				break
			}
			n.items = append(n.items, grow(item, n.item(i), from, path+"/"+strconv.Itoa(i), true, left))
		}
	}
	return n
}

// branch is the alternative of anyOf or oneOf that a value matches; nil if there are none.
func (n *node) branch(raw json.RawMessage) json.RawMessage {
	for _, keyword := range []string{"oneOf", "anyOf"} {
		list, ok := n.rules.Get(keyword)
		if !ok {
			continue
		}
		branches, _ := schema.Elements(list)
		for _, b := range branches {
			resolved, err := n.source.Resolve(b)
			if err != nil || resolved.Has("oneOf") || resolved.Has("anyOf") {
				continue
			}
			for _, t := range resolved.Types() {
				if schema.TypeOf(raw) == t || t == "number" && schema.TypeOf(raw) == "integer" {
					return resolved.Raw
				}
			}
		}
	}
	return nil
}

// property is the schema of a property; true if none is declared.
func (n *node) property(name string) json.RawMessage {
	properties, _ := n.rules.Get("properties")
	if raw, ok := schema.Get(properties, "/"+schema.Token(name)); ok {
		return raw
	}
	if raw, ok := n.rules.Get("additionalProperties"); ok && schema.Kind(raw) == '{' {
		return raw
	}
	return json.RawMessage("true")
}

func (n *node) item(i int) json.RawMessage {
	if prefix, ok := n.rules.Get("prefixItems"); ok {
		if raw, found := schema.Get(prefix, "/"+strconv.Itoa(i)); found {
			return raw
		}
	}
	if raw, ok := n.rules.Get("items"); ok && schema.Kind(raw) == '{' {
		return raw
	}
	return json.RawMessage("true")
}

// names is a list of names in the rules, as a set.
func (n *node) names(keyword string) map[string]bool {
	set := map[string]bool{}
	list, _ := n.rules.Get(keyword)
	items, _ := schema.Elements(list)
	for _, item := range items {
		if text, ok := schema.Text(item); ok {
			set[text] = true
		}
	}
	return set
}

// walk visits a node and all below it.
func (n *node) walk(visit func(*node)) {
	visit(n)
	for _, m := range n.members {
		m.value.walk(visit)
	}
	for _, item := range n.items {
		item.walk(visit)
	}
}
