package arguments

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// options lists the values of an enum, a constant, or a choice between titled constants. Null is not an option:
// it is a state of a nullable field.
func (b *builder) options(n *schema.Node) ([]Option, bool) {
	if value, ok := n.Get("const"); ok {
		title, _ := n.Text("title")
		return []Option{option(value, title)}, true
	}
	if raw, ok := n.Get("enum"); ok {
		return enumOptions(n, raw)
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if raw, ok := n.Get(keyword); ok {
			return b.titledConstants(raw)
		}
	}
	return nil, false
}

func enumOptions(n *schema.Node, raw json.RawMessage) ([]Option, bool) {
	values, err := schema.Elements(raw)
	if err != nil || len(values) == 0 {
		return nil, false
	}
	var titles []string
	for _, keyword := range []string{"enumNames", "x-enumNames"} {
		if names, ok := n.Get(keyword); ok {
			titles = texts(names)
		}
	}
	var options []Option
	for i, value := range values {
		title := ""
		if len(titles) == len(values) {
			title = titles[i]
		}
		options = append(options, option(value, title))
	}
	return options, true
}

func texts(raw json.RawMessage) []string {
	elements, _ := schema.Elements(raw)
	var list []string
	for _, element := range elements {
		text, _ := schema.Text(element)
		list = append(list, text)
	}
	return list
}

// titledConstants reads oneOf [{const, title}, …], which gives enum values names.
func (b *builder) titledConstants(raw json.RawMessage) ([]Option, bool) {
	branches, err := schema.Elements(raw)
	if err != nil || len(branches) == 0 {
		return nil, false
	}
	var options []Option
	for _, branch := range branches {
		resolved, err := b.resolver.Resolve(branch)
		if err != nil {
			return nil, false
		}
		value, ok := resolved.Get("const")
		if !ok {
			return nil, false
		}
		title, _ := resolved.Text("title")
		options = append(options, option(value, title))
	}
	return options, true
}

func option(value json.RawMessage, title string) Option {
	text, ok := schema.Text(value)
	if !ok {
		text = string(value)
	}
	if title == "" {
		title = text
	}
	return Option{Value: string(value), Text: text, Title: title}
}
