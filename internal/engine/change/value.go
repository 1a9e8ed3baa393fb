package change

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// decode reads JSON with exact numbers; nil if it is not JSON.
func decode(raw json.RawMessage) any {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return nil
	}
	return value
}

// encode writes JSON with sorted names, so that equal values are equal texts.
func encode(value any) json.RawMessage {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(value) != nil {
		return nil
	}
	return bytes.TrimSpace(out.Bytes())
}

// equal compares JSON values; the order of names does not count.
func equal(a, b any) bool { return reflect.DeepEqual(a, b) }

// hasReference reports whether a schema contains a reference.
func hasReference(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			if name == "$ref" || hasReference(inner) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(value, hasReference)
	}
	return false
}

// object reads a JSON object; nil if it is something else.
func object(raw json.RawMessage) map[string]any {
	value, _ := decode(raw).(map[string]any)
	return value
}

func textOf(value any) string {
	text, _ := value.(string)
	return text
}

// plainText is a text without differences in white space.
func plainText(text string) string { return strings.Join(strings.Fields(text), " ") }

func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// quote shows a name or text, shortened.
func quote(text string) string {
	if runes := []rune(text); len(runes) > 60 {
		text = string(runes[:59]) + "…"
	}
	return strconv.Quote(text)
}

// brief shows a JSON value, shortened.
func brief(value any) string {
	text := string(encode(value))
	if runes := []rune(text); len(runes) > 60 {
		return string(runes[:59]) + "…"
	}
	return text
}

// plural is a count with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
