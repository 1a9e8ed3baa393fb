package main

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// plain matches strings that YAML reads unchanged without quotes in any position: words, URLs, times and rates.
var plain = regexp.MustCompile(`^([A-Za-z_/][A-Za-z0-9_./:-]*( ` +
	`[A-Za-z0-9_./-]+)*[A-Za-z0-9_/]|[A-Za-z]|[0-9]+(ms|s|m|h|/s))$`)

// flow writes a JSON value as one line of YAML, without unnecessary quotes.
func flow(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	switch raw := bytes.TrimSpace(raw); raw[0] {
	case '{':
		return "{" + strings.Join(pairs(raw), ", ") + "}"
	case '[':
		var items []json.RawMessage
		_ = json.Unmarshal(raw, &items) // invalid JSON has no items
		var all []string
		for _, item := range items {
			all = append(all, flow(item))
		}
		return "[" + strings.Join(all, ", ") + "]"
	case '"':
		var text string
		_ = json.Unmarshal(raw, &text)
		if plain.MatchString(text) && text != "true" && text != "false" && text != "null" && text != "yes" &&
			text != "no" {
			return text
		}
		return string(raw)
	default:
		return string(raw)
	}
}

// pairs are the properties of an object, in their order.
func pairs(object json.RawMessage) []string {
	dec := json.NewDecoder(bytes.NewReader(object))
	_, _ = dec.Token()
	var all []string
	for dec.More() {
		key, err := dec.Token()
		var value json.RawMessage
		if err != nil || dec.Decode(&value) != nil {
			return all
		}
		all = append(all, key.(string)+": "+flow(value))
	}
	return all
}
