package conform

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// maxSearched is how deep and how far results are searched for values.
const maxSearched = 6

// namedValues returns the values that results of other calls have under the name of an argument, or under id for an
// argument such as item_id.
func namedValues(name string, done []CallResult) []string {
	var all []string
	for _, c := range done {
		if c.Exchange == nil || c.Exchange.Reply == nil || c.Failed() {
			continue
		}
		values := []json.RawMessage{At(c.Result(), "/structuredContent"), json.RawMessage(textsOf(c.Result()))}
		for _, value := range values {
			if json.Valid(value) {
				all = append(all, valuesUnder(name, value, maxSearched)...)
			}
		}
	}
	return all
}

// listedFor returns values of the items in other results that an argument calls for, such as the id of a station for from_station, or by the
// name of the other tool in its description.
func listedFor(argument, noun, description string, done []CallResult) []string {
	var all []string
	for _, c := range done {
		if c.Exchange == nil || c.Exchange.Reply == nil || c.Failed() {
			continue
		}
		for _, item := range schema.Items(c.Name, c.Result()) {
			value := item.ValueFor(schema.Snake(argument), noun)
			if value == nil {
				value = item.Named(description)
			}
			if text, isText := schema.Text(value); isText {
				all = append(all, text)
			} else if value != nil {
				all = append(all, string(value))
			}
		}
	}
	return all
}

// listedLike returns values of the items in other results that match the pattern of an argument.
func listedLike(pattern string, done []CallResult) []string {
	like := schema.Like(pattern)
	if like == nil {
		return nil
	}
	var all []string
	for _, c := range done {
		if c.Exchange == nil || c.Exchange.Reply == nil || c.Failed() {
			continue
		}
		for _, item := range schema.Items(c.Name, c.Result()) {
			if value := like(item); value != nil {
				all = append(all, schema.Plain(value))
			}
		}
	}
	return all
}

// valuesUnder returns the strings and numbers under a name in a JSON value.
func valuesUnder(name string, value json.RawMessage, depth int) []string {
	if depth == 0 {
		return nil
	}
	var all []string
	members, _ := schema.Members(value)
	for _, m := range members {
		if isScalar(m.Value) && sameName(m.Name, name) {
			text, isText := schema.Text(m.Value)
			if schema.Kind(m.Value) == '0' {
				text, isText = string(m.Value), true
			}
			if isText {
				all = append(all, text)
			}
		}
		all = append(all, valuesUnder(name, m.Value, depth-1)...)
	}
	items, _ := schema.Elements(value)
	for _, item := range items[:min(len(items), maxSearched)] {
		all = append(all, valuesUnder(name, item, depth-1)...)
	}
	return all
}

// sameName reports whether a field of a result fits an argument: userId, user_id and id are names of the same.
func sameName(field, argument string) bool {
	plain := func(name string) string { return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name)) }
	f, a := plain(field), plain(argument)
	return f == a || f == "id" && strings.HasSuffix(a, "id") || a == "id" && strings.HasSuffix(f, "id")
}

// resourceValues returns the URIs of resources for an argument that is a URI, otherwise their names and last segments.
func (p *CheckContext) resourceValues(ctx context.Context, name string) []string {
	if !p.round.offers("resources") {
		return nil
	}
	var all []string
	list, err := p.Offered(ctx, "resources/list")
	items := itemsOf(list, err)
	for _, item := range items[:min(len(items), maxPerSource)] {
		if lower := strings.ToLower(name); strings.Contains(lower, "uri") || strings.Contains(lower, "url") {
			all = append(all, item.Name)
			continue
		}
		all = append(all, item.Name[strings.LastIndexByte(item.Name, '/')+1:])
	}
	return all
}

// firstWords returns the first lines of texts that are lists, and their first words: a tool that lists things begins
// its lines with their names.
func firstWords(done []CallResult) []string {
	var all []string
	for _, c := range done {
		if c.Exchange == nil || c.Exchange.Reply == nil || c.Failed() {
			continue
		}
		lines := strings.Split(strings.TrimSpace(textsOf(c.Result())), "\n")
		if len(lines) < 2 || strings.HasPrefix(lines[0], "{") || strings.HasPrefix(lines[0], "[") {
			continue
		}
		word, _, more := strings.Cut(strings.TrimSpace(strings.TrimLeft(lines[0], "-*• ")), " ")
		if all = append(all, strings.TrimRight(word, ":,")); more {
			all = append(all, strings.TrimSpace(lines[0]))
		}
	}
	return all
}
