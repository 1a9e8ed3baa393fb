package cases

import (
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Mine stores values that the server returned: IDs, URIs, cursors, names. Later calls use them in place of
// generated strings, which no server recognizes.
type Mine struct {
	values []string
	seen   map[string]bool
}

// Limits of what is stored.
const (
	maxMined     = 200
	maxMinedText = 120
)

// NewMine returns one without values.
func NewMine() *Mine { return &Mine{seen: map[string]bool{}} }

// handle matches strings that look like a reference to something: an ID, a URI, a cursor.
var handle = lazyregexp.New(`[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}|[a-z][a-z0-9+.-]*://[^\s"'<>]+|\b[A-Za-z]+[-_:]\d+\b|\b[0-9a-f]{12,64}\b|\b[A-Za-z0-9+/]{16,}={0,2}\b`)

// Learn extracts values from a result.
func (m *Mine) Learn(result json.RawMessage) {
	if len(m.values) >= maxMined {
		return
	}
	if structured, ok := schema.Get(result, "/structuredContent"); ok {
		m.strings(structured, 0)
	}
	content, _ := schema.Get(result, "/content")
	blocks, _ := schema.Elements(content)
	for _, b := range blocks {
		if uri, ok := schema.Get(b, "/uri"); ok {
			m.add(schema.Plain(uri))
		}
		if text, ok := schema.Get(b, "/text"); ok {
			for _, found := range handle().FindAllString(schema.Plain(text), 5) {
				m.add(found)
			}
		}
	}
}

// strings stores the short strings and numbers of a structure.
func (m *Mine) strings(raw json.RawMessage, depth int) {
	if depth > 5 {
		return
	}
	switch schema.Kind(raw) {
	case '"':
		m.add(schema.Plain(raw))
	case '{':
		members, _ := schema.Members(raw)
		for _, member := range members {
			m.strings(member.Value, depth+1)
		}
	case '[':
		items, _ := schema.Elements(raw)
		for _, item := range items[:min(len(items), 5)] {
			m.strings(item, depth+1)
		}
	}
}

func (m *Mine) add(text string) {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > maxMinedText || m.seen[text] || len(m.values) >= maxMined {
		return
	}
	m.seen[text] = true
	m.values = append(m.values, text)
}

// Feed replaces a string of a case with a mined value, in every third case that the schema allows.
func (m *Mine) Feed(g *Generator, from *Case, done int) {
	if len(m.values) == 0 || done%3 != 0 || !from.Allowed {
		return
	}
	members, err := schema.Members(from.Arguments)
	if err != nil {
		return
	}
	value := m.values[(done/3)%len(m.values)]
	texts := 0
	for _, member := range members {
		if schema.Kind(member.Value) == '"' {
			texts++
		}
	}
	if texts == 0 {
		return
	}
	chosen, out := (done/3)%texts, []byte{'{'}
	for i, member := range members {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(rawjson.AppendQuote(out, member.Name), ':')
		if schema.Kind(member.Value) == '"' {
			if chosen == 0 {
				out = rawjson.AppendQuote(out, value)
				chosen--
				continue
			}
			chosen--
		}
		out = append(out, member.Value...)
	}
	c := Case{Tool: from.Tool, Arguments: append(out, '}'), Kind: Dictionary,
		Description: "a value that the server returned: " + value}
	g.Validate(&c)
	*from = c
}
