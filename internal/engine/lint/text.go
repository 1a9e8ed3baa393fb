package lint

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Text is one string of a tool definition.
type Text struct {
	Pointer string
	Value   string
	Key     bool // it is a property name, and Pointer leads to that property
}

// collectTexts lists the strings of a value in document order, and reports whether it skipped any.
func collectTexts(raw json.RawMessage) (texts []Text, clipped bool) {
	strings := bytes.Count(raw, []byte{'"'}) / 2 // about
	c := textCollector{texts: make([]Text, 0, min(strings, maxTexts))}
	c.collect(raw, "", 0)
	return c.texts, c.clipped
}

// Limits on the text of a tool that rules look at. The largest tool of a real server has about 10,000 strings.
const (
	maxTexts = 50_000
	maxText  = 1 << 18
)

type textCollector struct {
	texts   []Text
	clipped bool
}

func (c *textCollector) collect(raw json.RawMessage, pointer string, depth int) {
	if c.clipped = c.clipped || len(c.texts) >= maxTexts; depth > schema.MaxDepth || len(c.texts) >= maxTexts {
		return
	}
	switch schema.Kind(raw) {
	case '"':
		value, _ := schema.Text(raw)
		c.clipped = c.clipped || len(value) > maxText
		c.texts = append(c.texts, Text{Pointer: pointer, Value: clip.Head(value, maxText)})
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

// reportRunes reports each string of the tool that has a rune for which found returns a reason, once per string.
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

// excerpt shows the context of a rune with all invisible characters escaped.
func excerpt(runes []rune, i int) string {
	from, to := max(0, i-20), min(len(runes), i+20)
	return braced(strconv.QuoteToASCII(string(runes[from:to])))
}
