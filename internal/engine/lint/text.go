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
