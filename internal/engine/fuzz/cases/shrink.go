package cases

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// SimplerThan orders values: shorter is simpler, and of two with the same length the one with the plainer characters.
func SimplerThan(a, b json.RawMessage) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return weight(a) < weight(b)
}

// plainLetter is the plainest letter beyond ASCII.
const plainLetter = "é"

func weight(raw json.RawMessage) (sum int) {
	for _, c := range raw {
		switch {
		case c == 'a' || c == '0':
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == plainLetter[0] || c == plainLetter[1]:
			sum++
		default:
			sum += 2
		}
	}
	return sum
}

// Simpler lists values that are simpler than a value in one location, the most aggressive simplifications first.
func Simpler(raw json.RawMessage) []json.RawMessage { return simpler(raw, 0) }

func simpler(raw json.RawMessage, depth int) []json.RawMessage {
	if depth > 20 {
		return nil
	}
	switch schema.Kind(raw) {
	case '{':
		return simplerObjects(raw, depth)
	case '[':
		return simplerLists(raw, depth)
	case '"':
		return simplerTexts(schema.Plain(raw))
	case '0':
		return simplerNumbers(string(raw))
	case 't':
		return []json.RawMessage{json.RawMessage("0")}
	}
	return nil
}

func simplerObjects(raw json.RawMessage, depth int) []json.RawMessage {
	members, err := schema.Members(raw)
	if err != nil {
		return nil
	}
	var all []json.RawMessage
	build := func(change int, value json.RawMessage) json.RawMessage {
		out := []byte{'{'}
		for i, m := range members {
			v := m.Value
			if i == change {
				if v = value; v == nil {
					continue
				}
			}
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(append(rawjson.AppendQuote(out, m.Name), ':'), v...)
		}
		return append(out, '}')
	}
	if len(members) > 1 {
		all = append(all, json.RawMessage("{}"))
	}
	for i := range members {
		all = append(all, build(i, nil))
	}
	for i, m := range members {
		for _, v := range simpler(m.Value, depth+1) {
			all = append(all, build(i, v))
		}
	}
	return all
}

func simplerLists(raw json.RawMessage, depth int) []json.RawMessage {
	items, err := schema.Elements(raw)
	if err != nil || len(items) == 0 {
		return nil
	}
	join := func(items []json.RawMessage) json.RawMessage {
		out := []byte{'['}
		for i, item := range items {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, item...)
		}
		return append(out, ']')
	}
	all := []json.RawMessage{json.RawMessage("[]"), join(items[:len(items)/2]), join(items[len(items)/2:]),
		join(items[:len(items)-1]), join(items[1:])}
	for i, item := range items[:min(len(items), 20)] {
		for _, v := range simpler(item, depth+1) {
			changed := append(append(append([]json.RawMessage{}, items[:i]...), v), items[i+1:]...)
			all = append(all, join(changed))
		}
	}
	return all
}

// simplerTexts halves a string, trims its ends, removes characters one by one, and replaces them with plain ones.
func simplerTexts(text string) []json.RawMessage {
	runes := []rune(text)
	n := len(runes)
	if n == 0 {
		return nil
	}
	var all []json.RawMessage
	add := func(s string) { all = append(all, rawjson.Quote(s)) }
	add("")
	for part := n / 2; part > 0; part /= 2 {
		add(string(runes[:n-part]))
		add(string(runes[part:]))
	}
	if n <= 60 {
		for i := range runes {
			add(string(runes[:i]) + string(runes[i+1:]))
		}
	}
	for _, length := range []int{n, len(text)} { // a server may count letters or bytes
		if plain := strings.Repeat("a", length); plain != text {
			add(plain)
		}
	}
	for i, c := range runes[:min(n, 60)] {
		if c != 'a' && c != utf8.RuneError {
			add(string(runes[:i]) + "a" + string(runes[i+1:]))
		}
		if c >= utf8.RuneSelf && string(c) != plainLetter {
			add(string(runes[:i]) + plainLetter + string(runes[i+1:]))
		}
	}
	return all
}

func simplerNumbers(text string) []json.RawMessage {
	var all []json.RawMessage
	for _, v := range []string{"0", "1", "-1"} {
		all = append(all, json.RawMessage(v))
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		for _, v := range []int64{n / 10, n / 2, n - 1, n + 1} {
			all = append(all, json.RawMessage(strconv.FormatInt(v, 10)))
		}
	}
	return all
}
