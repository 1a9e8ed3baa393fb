package cases

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// An edit is one change of a sample.
type edit struct {
	at          *node
	kind        Kind
	description string

	value json.RawMessage // replaces the node; or
	drop  string          // the member to omit; or
	add   string          // the member to add, with value; or
	from  string          // the member to rename
	to    string

	first  bool            // run before the others
	keep   bool            // further cases can keep to it: the server names the value, or the argument is optional
	inside json.RawMessage // for a value at a limit: one just inside
}

// render is a tree as JSON, with the edits applied.
func render(out []byte, n *node, edits []edit) []byte {
	var adds []edit
	for _, e := range edits {
		switch {
		case e.at != n:
		case e.add != "":
			adds = append(adds, e)
		case e.value != nil:
			return append(out, e.value...)
		}
	}
	switch n.kind {
	case '{':
		out = append(out, '{')
		first := true
		comma := func() {
			if !first {
				out = append(out, ',')
			}
			first = false
		}
		for _, m := range n.members {
			name, dropped := m.name, false
			for _, e := range edits {
				dropped = dropped || e.at == n && e.drop == name && e.drop != ""
				if e.at == n && e.from != "" && e.from == name {
					name = e.to
				}
			}
			if dropped {
				continue
			}
			comma()
			out = append(rawjson.AppendQuote(out, name), ':')
			out = render(out, m.value, edits)
		}
		for _, e := range adds {
			comma()
			out = append(append(rawjson.AppendQuote(out, e.add), ':'), e.value...)
		}
		return append(out, '}')
	case '[':
		out = append(out, '[')
		for i, item := range n.items {
			if i > 0 {
				out = append(out, ',')
			}
			out = render(out, item, edits)
		}
		return append(out, ']')
	}
	return append(out, n.raw...)
}

// replace creates the edits that replace a node with other values.
func replace(at *node, kind Kind, says string, values ...string) []edit {
	var all []edit
	for _, v := range values {
		if !same(v, at.raw) {
			all = append(all, edit{at: at, kind: kind, description: says + locationOf(at), value: json.RawMessage(v)})
		}
	}
	return all
}

// kept marks changes that further cases can keep to.
func kept(edits []edit) []edit {
	for i := range edits {
		edits[i].keep = true
	}
	return edits
}

func same(text string, raw json.RawMessage) bool { return text == string(raw) }

func locationOf(at *node) string {
	if at.path == "" {
		return ""
	}
	return " at " + schema.Label(at.path)
}
