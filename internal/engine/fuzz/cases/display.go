package cases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// maxDisplayed is the maximum length of a value in a message.
const maxDisplayed = 100

// Changed is the argument in which two calls differ, with both values; empty if it is not exactly one.
func Changed(arguments, others json.RawMessage) (name string, value, other json.RawMessage) {
	members, _ := schema.Members(arguments)
	for _, m := range members {
		in, ok := schema.Get(others, "/"+schema.Token(m.Name))
		if ok && bytes.Equal(in, m.Value) {
			continue
		}
		if name != "" || !ok {
			return "", nil, nil
		}
		name, value, other = m.Name, m.Value, in
	}
	return name, value, other
}

// Parallel returns arguments in which all lists that are as long as a list before have the length of the named one: a tool may require that,
// as of x and y. It returns nil if there is no other such list.
func Parallel(arguments json.RawMessage, name string, before json.RawMessage) json.RawMessage {
	was, err := schema.Elements(before)
	now, _ := schema.Get(arguments, "/"+schema.Token(name))
	length, _ := schema.Elements(now)
	if err != nil || len(length) == 0 {
		return nil
	}
	members, _ := schema.Members(arguments)
	var edits []finding.Edit
	for _, m := range members {
		others, err := schema.Elements(m.Value)
		if err != nil || m.Name == name || len(others) != len(was) || len(others) == 0 {
			continue
		}
		for len(others) < len(length) {
			others = append(others, others[len(others)-1])
		}
		raw, _ := json.Marshal(others[:len(length)]) // items of JSON always marshal
		edits = append(edits, finding.Edit{Pointer: "/" + schema.Token(m.Name), Value: raw})
	}
	if len(edits) == 0 {
		return nil
	}
	changed, _ := schema.Apply(arguments, edits) // pointers to its own members always apply
	return changed
}

// Display is a value for a message: a text of one repeated letter as the letter and how often it is repeated.
func Display(value json.RawMessage) string {
	text := schema.Plain(value)
	first, _ := utf8.DecodeRuneInString(text)
	if letters := utf8.RuneCountInString(text); schema.Kind(value) == '"' && letters > fewLetters &&
		text == strings.Repeat(string(first), letters) {
		return fmt.Sprintf("%q × %d", string(first), letters)
	}
	return clip.Sized(string(value), maxDisplayed)
}

// fewLetters is how many equal letters are shown as they are.
const fewLetters = 20
