package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

// A Resolver follows the references of one document and merges allOf, so that a reader of single properties
// sees everything that applies to them. It is for forms and samples; [Schema.Validate] decides what is valid.
type Resolver struct {
	root    json.RawMessage
	targets map[string]json.RawMessage
	entries map[string]map[string]json.RawMessage // the fields of the objects that references point into, by pointer
	named   map[string]json.RawMessage            // by $id and anchor; nil until first used
	left    int                                   // bytes that may still be read and written
}

// NewResolver prepares to resolve references within root.
func NewResolver(root json.RawMessage) *Resolver {
	return &Resolver{root: root, left: maxBytes}
}

// ErrTooManyRefs reports that references and allOf are nested too deep or too wide to be merged into one schema.
var ErrTooManyRefs = errors.New("its references are too complex to resolve")

// Limits for merging into one subschema, and for all reads and writes of a Resolver. A reference costs the size
// of its target each time it is followed.
const (
	maxFolds = 500
	maxBytes = 64 << 20
)

// Resolve returns the subschema raw merged with everything that its $ref and allOf refer to. The keywords of
// the subschema itself come first. The pointer and names of the node are empty.
func (r *Resolver) Resolve(raw json.RawMessage) (Node, error) {
	folds := maxFolds
	members, err := r.fold(raw, &folds)
	return Node{Raw: raw, Members: members}, err
}

func (r *Resolver) fold(raw json.RawMessage, folds *int) ([]Member, error) {
	*folds--
	if r.left -= len(raw) + 100; *folds < 0 || r.left < 0 {
		return nil, ErrTooManyRefs
	}
	switch Kind(raw) {
	case 't':
		return nil, nil
	case 'f':
		return []Member{member("not", "{}")}, nil
	case '{':
	default:
		return nil, fmt.Errorf("%s is not a schema", clip.Text(string(raw), 40))
	}
	members, err := Members(raw)
	if err != nil {
		return nil, err
	}
	own := Node{Members: members}
	all, hasAll := own.Get("allOf")
	if !hasAll && !own.Has("$ref") {
		return members, nil
	}
	merged := without(members, "$ref", "allOf")
	if ref, ok := own.Text("$ref"); ok {
		if merged, err = r.foldRef(merged, ref, folds); err != nil {
			return nil, err
		}
	}
	if hasAll {
		return r.foldAll(merged, all, folds)
	}
	return merged, nil
}

func (r *Resolver) foldRef(into []Member, ref string, folds *int) ([]Member, error) {
	target, err := r.Follow(ref)
	if err != nil {
		return nil, err
	}
	brought, err := r.fold(target, folds)
	if err != nil {
		return nil, err
	}
	return r.merge(into, brought), nil
}

// merge accounts for the cost of the merged keywords.
func (r *Resolver) merge(into, brought []Member) []Member {
	merged := merge(into, brought)
	for _, m := range merged {
		r.left -= len(m.Value)
	}
	return merged
}

func (r *Resolver) foldAll(into []Member, all json.RawMessage, folds *int) ([]Member, error) {
	parts, err := Elements(all)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		brought, err := r.fold(part, folds)
		if err != nil {
			return nil, err
		}
		into = r.merge(into, brought)
	}
	return into, nil
}

// Follow returns the subschema of a reference. References out of the document are rejected.
func (r *Resolver) Follow(ref string) (json.RawMessage, error) {
	if target, ok := r.targets[ref]; ok {
		return target, nil
	}
	target, ok := r.find(ref)
	if !ok {
		return nil, fmt.Errorf("unresolved reference %q", clip.Text(ref, 80))
	}
	if r.targets == nil {
		r.targets = map[string]json.RawMessage{}
	}
	r.targets[ref] = target
	return target, nil
}

func (r *Resolver) find(ref string) (json.RawMessage, bool) {
	base, fragment, _ := strings.Cut(ref, "#")
	if plain, err := url.PathUnescape(fragment); err == nil {
		fragment = plain
	}
	resource := r.root
	if base != "" {
		var ok bool
		if resource, ok = r.names()[base]; !ok {
			return nil, false
		}
	}
	if base == "" && strings.HasPrefix(fragment, "/") {
		return r.at(fragment)
	}
	if fragment == "" || fragment[0] == '/' {
		return Get(resource, fragment)
	}
	target, ok := r.names()["#"+fragment]
	return target, ok
}

// at returns the value at a JSON Pointer of the document. Most references point into one object, such as $defs,
// which is split once.
func (r *Resolver) at(pointer string) (json.RawMessage, bool) {
	last := strings.LastIndexByte(pointer, '/')
	parent := pointer[:last]
	entries, ok := r.entries[parent]
	if !ok {
		if r.entries == nil {
			r.entries = map[string]map[string]json.RawMessage{}
		}
		entries = entriesAt(r.root, parent)
		r.entries[parent] = entries
	}
	tokens, ok := Tokens(pointer[last:])
	if entries == nil || !ok {
		return Get(r.root, pointer)
	}
	target, ok := entries[tokens[0]]
	return target, ok
}

// entriesAt returns the fields of the object at a JSON Pointer; nil if there is none. Of duplicates the last is used.
func entriesAt(doc json.RawMessage, pointer string) map[string]json.RawMessage {
	object, _ := Get(doc, pointer)
	members, err := Members(object)
	if err != nil {
		return nil
	}
	entries := make(map[string]json.RawMessage, len(members))
	for _, m := range members {
		entries[m.Name] = m.Value
	}
	return entries
}

// names indexes the document by $id and anchor. Two resources with the same anchor name share it here.
func (r *Resolver) names() map[string]json.RawMessage {
	if r.named != nil {
		return r.named
	}
	r.named = map[string]json.RawMessage{}
	_ = Walk(r.root, func(n Node) bool {
		for _, keyword := range []string{"$id", "id"} {
			if id, ok := n.Text(keyword); ok {
				r.named[strings.TrimSuffix(id, "#")] = n.Raw
			}
		}
		for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
			if anchor, ok := n.Text(keyword); ok {
				r.named["#"+anchor] = n.Raw
			}
		}
		return true
	})
	return r.named
}

func member(name, value string) Member {
	return Member{Name: name, Key: rawjson.Quote(name), Value: json.RawMessage(value)}
}

func without(members []Member, names ...string) []Member {
	kept := make([]Member, 0, len(members))
next:
	for _, m := range members {
		for _, name := range names {
			if m.Name == name {
				continue next
			}
		}
		kept = append(kept, m)
	}
	return kept
}
