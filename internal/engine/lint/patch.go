package lint

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A patch holds many edits of one document as a tree, so that each object is parsed once. Applied one after the other,
// every edit would search the whole document.
type patch struct {
	edits []finding.Edit // of this value itself; pointers of one step, or of two that end in "-"
	wrap  func(json.RawMessage) json.RawMessage
	inner map[string]*patch
}

// at is the patch of the value that the tokens lead to.
func (p *patch) at(tokens []string) *patch {
	for _, token := range tokens {
		if p.inner == nil {
			p.inner = map[string]*patch{}
		}
		if p.inner[token] == nil {
			p.inner[token] = &patch{}
		}
		p = p.inner[token]
	}
	return p
}

func (p *patch) add(edits ...finding.Edit) {
	for _, edit := range edits {
		tokens, _ := schema.Tokens(edit.Pointer)
		owner := len(tokens) - 1
		if tokens[owner] == "-" {
			owner--
		}
		relative := ""
		for _, token := range tokens[owner:] {
			relative += "/" + schema.Token(token)
		}
		at := p.at(tokens[:owner])
		at.edits = append(at.edits, finding.Edit{Pointer: relative, Value: edit.Value})
	}
}

// apply changes nested values first, then the value itself.
func (p *patch) apply(raw json.RawMessage) (json.RawMessage, error) {
	if p == nil {
		return raw, nil
	}
	raw, err := p.applyInner(raw)
	if err != nil {
		return nil, err
	}
	if len(p.edits) > 0 {
		if raw, err = schema.Apply(raw, p.edits); err != nil {
			return nil, err
		}
	}
	if p.wrap != nil {
		raw = p.wrap(raw)
	}
	return raw, nil
}

func (p *patch) applyInner(raw json.RawMessage) (json.RawMessage, error) {
	if len(p.inner) == 0 {
		return raw, nil
	}
	names, values, err := parts(raw)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	done := 0
	for i, value := range values {
		changed, err := p.inner[names[i]].apply(value.raw)
		if err != nil {
			return nil, err
		}
		out.Write(raw[done:value.at])
		out.Write(changed)
		done = value.at + len(value.raw)
	}
	out.Write(raw[done:])
	return out.Bytes(), nil
}

// A part is one value inside an object or array, and its offset.
type part struct {
	raw json.RawMessage
	at  int
}

// parts splits an object or array. Between values there are only white space, punctuation and keys of known length, so
// counting finds the start of each value.
func parts(raw json.RawMessage) (names []string, values []part, err error) {
	at := bytes.IndexAny(raw, "{[") + 1
	skip := func(also string) { at += len(raw[at:]) - len(bytes.TrimLeft(raw[at:], " \t\r\n"+also)) }
	if schema.Kind(raw) == '[' {
		elements, err := schema.Elements(raw)
		for i, e := range elements {
			skip(",")
			names, values = append(names, fmt.Sprint(i)), append(values, part{e, at})
			at += len(e)
		}
		return names, values, err
	}
	members, err := schema.Members(raw)
	for _, m := range members {
		skip(",")
		at += len(m.Key)
		skip(":")
		names, values = append(names, m.Name), append(values, part{m.Value, at})
		at += len(m.Value)
	}
	return names, values, err
}
