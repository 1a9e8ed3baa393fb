package lint

import (
	"encoding/json"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Text is one string of a tool definition.
type Text struct {
	Pointer string
	Value   string
	Key     bool // it is the name of a member, and Pointer leads to that member
}

// collectTexts lists the strings of a value in document order.
func collectTexts(raw json.RawMessage) []Text {
	var c textCollector
	c.collect(raw, "", 0)
	return c.texts
}

type textCollector struct{ texts []Text }

func (c *textCollector) collect(raw json.RawMessage, pointer string, depth int) {
	if depth > schema.MaxDepth {
		return
	}
	switch schema.Kind(raw) {
	case '"':
		value, _ := schema.Text(raw)
		c.texts = append(c.texts, Text{Pointer: pointer, Value: value})
	case '{':
		members, _ := schema.Members(raw)
		for _, m := range members {
			at := pointer + "/" + schema.Token(m.Name)
			c.texts = append(c.texts, Text{Pointer: at, Value: m.Name, Key: true})
			c.collect(m.Value, at, depth+1)
		}
	case '[':
		elements, _ := schema.Elements(raw)
		for i, element := range elements {
			c.collect(element, pointer+"/"+strconv.Itoa(i), depth+1)
		}
	}
}

// ordinary reports whether a string is printable ASCII with line breaks and tabs.
func ordinary(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

// reportRunes reports each string of the tool that has a rune for which found gives a reason, once a string.
func reportRunes(p *Pass, found func(runes []rune, i int) string) {
	for _, text := range p.Tool.unusual {
		runes := []rune(text.Value)
		for i := range runes {
			if reason := found(runes, i); reason != "" {
				p.Report(text.Pointer, "%s: %s", reason, excerpt(runes, i))
				break
			}
		}
	}
}

// excerpt shows the surroundings of a rune with everything invisible escaped.
func excerpt(runes []rune, i int) string {
	from, to := max(0, i-20), min(len(runes), i+20)
	return strconv.QuoteToASCII(string(runes[from:to]))
}
