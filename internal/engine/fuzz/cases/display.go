package cases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/clip"
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

// Parallel reports whether another argument than the named one is a list with as many items as a list: then the tool may require lists of
// the same length.
func Parallel(arguments json.RawMessage, name string, list json.RawMessage) bool {
	items, err := schema.Elements(list)
	members, _ := schema.Members(arguments)
	return err == nil && slices.ContainsFunc(members, func(m schema.Member) bool {
		others, err := schema.Elements(m.Value)
		return err == nil && m.Name != name && len(others) == len(items)
	})
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
