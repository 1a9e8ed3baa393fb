package main

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// plain are texts that YAML reads as the same text without quotes, wherever they stand: words, addresses, times and rates.
var plain = regexp.MustCompile(`^([A-Za-z_/][A-Za-z0-9_./:-]*( [A-Za-z0-9_./-]+)*[A-Za-z0-9_/]|[A-Za-z]|[0-9]+(ms|s|m|h|/s))$`)

// flow writes a JSON value the way people write YAML on one line: without quotes where none are needed.
func flow(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	switch raw := bytes.TrimSpace(raw); raw[0] {
	case '{':
		return "{" + strings.Join(pairs(raw), ", ") + "}"
	case '[':
		var items []json.RawMessage
		_ = json.Unmarshal(raw, &items) // what is no JSON has no items
		var all []string
		for _, item := range items {
			all = append(all, flow(item))
		}
		return "[" + strings.Join(all, ", ") + "]"
	case '"':
		var text string
		_ = json.Unmarshal(raw, &text)
		if plain.MatchString(text) && text != "true" && text != "false" && text != "null" && text != "yes" && text != "no" {
			return text
		}
		return string(raw)
	default:
		return string(raw)
	}
}

// pairs are the members of an object, in their order.
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
