package distill

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/recording"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/volatile"
)

// maxDepth is how deep values are looked at.
const maxDepth = 64

// A sample is a value of one response.
type sample struct {
	value json.RawMessage
	at    time.Time // of the request
}

// forms are regular expressions for the placeholders of a normalized text.
var forms = strings.NewReplacer(volatile.ID, `[0-9A-Za-z-]+`, volatile.Time, `[0-9A-Za-z:/.,+ \x{202f}-]+`,
	volatile.Duration, `[0-9.]+ ?[a-zµ]+`, volatile.Port, `[0-9]+`, regexp.QuoteMeta(redact.Placeholder), `(?s:.*)`)

// formOf returns a regular expression for the texts that differ from a text only in what differs from run to run.
func formOf(text string, at time.Time) string {
	return forms.Replace(regexp.QuoteMeta(volatile.Normalize(text, at)))
}

// isBinary reports whether a field of this name has base64.
func isBinary(name string) bool { return name == "data" || name == "blob" }

// quote returns a JSON string.

// differs reports whether a value of a field differs from run to run. IDs that the client sent do not.
func differs(name string, value json.RawMessage, at time.Time, arguments string) bool {
	switch schema.Kind(value) {
	case '{':
		members, _ := schema.Members(value)
		return slices.ContainsFunc(members, func(m schema.Member) bool {
			return m.Name == "_meta" || differs(m.Name, m.Value, at, arguments)
		})
	case '[':
		elements, _ := schema.Elements(value)
		return slices.ContainsFunc(elements, func(e json.RawMessage) bool { return differs(name, e, at, arguments) })
	case '0':
		var n float64
		return json.Unmarshal(value, &n) == nil && volatile.IsNow(n, at) || isNewID(name, value, arguments)
	case '"':
		text, _ := schema.Text(value)
		switch {
		case isRedacted(text) || isNewID(name, value, arguments):
			return true
		case volatile.IsText64(name, text):
			text, _ = schema.Text(volatile.Decode64(text))
		case isBinary(name):
			return false
		case volatile.IsJSON(text):
			return differs(name, json.RawMessage(text), at, arguments)
		}
		return volatile.Normalize(text, at) != text
	}
	return false
}

// isNewID reports whether a field has an ID that the client did not send.
func isNewID(name string, value json.RawMessage, arguments string) bool {
	text := strings.Trim(string(value), `"`)
	return volatile.IsIDName(name) && text != "" && !strings.Contains(arguments, text)
}

// isFixed reports whether all samples are equal and the same in every run.
func isFixed(name string, all []sample, arguments string) bool {
	first := recording.Canonical(all[0].value)
	for _, s := range all {
		if differs(name, s.value, s.at, arguments) || recording.Canonical(s.value) != first {
			return false
		}
	}
	return true
}

// kindOf returns the JSON type of all samples; empty if they have several.
func kindOf(all []sample) string {
	names := map[byte]string{'{': "object", '[': "array", '"': "string", '0': "number", 't': "boolean", 'f': "boolean",
		'n': "null"}
	kind := names[schema.Kind(all[0].value)]
	for _, s := range all {
		if names[schema.Kind(s.value)] != kind {
			return ""
		}
	}
	return kind
}

// members returns the fields that all samples have, in the order of the first, and whether no sample has others.
func members(all []sample) (names []string, complete bool) {
	first, _ := schema.Members(all[0].value)
	complete = true
	for _, m := range first {
		if fields := fieldOf(all, m.Name); fields != nil && !slices.Contains(names, m.Name) {
			names = append(names, m.Name)
		}
	}
	for _, s := range all {
		own, _ := schema.Members(s.value)
		complete = complete && len(own) == len(names)
	}
	return names, complete
}

// fieldOf returns a field of all samples; nil if one lacks it.
func fieldOf(all []sample, name string) []sample {
	return pick(all, "/"+schema.Token(name))
}

// elementOf returns an element of all samples; nil if one lacks it.
func elementOf(all []sample, i int) []sample { return pick(all, fmt.Sprintf("/%d", i)) }

func pick(all []sample, pointer string) []sample {
	out := make([]sample, len(all))
	for i, s := range all {
		value, found := schema.Get(s.value, pointer)
		if !found {
			return nil
		}
		out[i] = sample{value, s.at}
	}
	return out
}

// lengthOf returns how many elements all samples have; -1 if they have different numbers.
func lengthOf(all []sample) int {
	length := -1
	for i, s := range all {
		elements, _ := schema.Elements(s.value)
		if i > 0 && len(elements) != length {
			return -1
		}
		length = len(elements)
	}
	return length
}

// texts returns the samples of JSON strings as texts.
func texts(all []sample) []string {
	out := make([]string, len(all))
	for i, s := range all {
		out[i], _ = schema.Text(s.value)
	}
	return out
}
