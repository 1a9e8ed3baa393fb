package conform

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A filter is an optional argument of a tool, with a value that some items of its list have.
type filter struct {
	name    string                     // of the argument
	value   string                     // as JSON
	matches func(json.RawMessage) bool // whether an item has it
	differs func(json.RawMessage) bool // whether an item certainly does not have it
	loose   bool                       // the argument may also select other items
}

// maxFilters is how many filters of a tool are tried.
const maxFilters = 8

var (
	// notFilters matches arguments that do not select the items of the same value, looseFilters those that may select more: texts
	// that contain it, higher levels, or later days.
	notFilters = lazyregexp.New(`^(?:id|q|query|search|text|term|keywords?|path|dir|directory|folder|url|uri|key|` +
		`start|end|from|to|since|until|after|before|depth|distance|sort\w*|order\w*|direction|format|units?|currency|` +
		`fields?|include\w*|exclude\w*|expand|limit|offset|page\w*|cursor|size|count|max|min|base)$`)
	looseFilters = lazyregexp.New(`^(?:name|title|date|day|time|timestamp|level|severity|priority|version|lang|language|locale|` +
		`time_?zone|tz|namespace|symbol)$`)
	bounds       = lazyregexp.New(`^(?:(min|max)(?:imum)?_(\w+)|(\w+)_(min|max)(?:imum)?)$`)
	exclusive    = lazyregexp.New(`(?i)\b(?:exclusiv\w*|strictly|below|above|less than|more than|greater than|over|under|default\w*)\b`)
	exactNumbers = lazyregexp.New(`price|cost|amount|total|fee|balance`)
	everyItem    = lazyregexp.New(`(?i)^(?:all|any|every|both|none|\*)?$`)
)

// filtersOf lists the filters of a tool that returned some items.
func filtersOf(t Tool, items []json.RawMessage) []filter {
	optional := optionalProperties(t.Definition)
	var all []filter
	for _, m := range declaredArguments(t.Definition) {
		if name := schema.Snake(m.Name); !slices.Contains(optional, m.Name) {
			continue
		} else if parts := bounds().FindStringSubmatch(name); parts != nil {
			all = append(all, boundOf(t, m, parts[1]+parts[4], parts[2]+parts[3], items)...)
		} else if !notFilters().MatchString(name) {
			all = append(all, equalFilters(t, m, items)...)
		}
	}
	return all
}

// equalFilters returns filters with a text that some items have and others do not, as late in the list as possible: a filter that
// only sees the start of the list is wrong there. There are up to two for an argument.
func equalFilters(t Tool, argument schema.Member, items []json.RawMessage) []filter {
	name := schema.Snake(argument.Name)
	var some []filter
	for _, item := range slices.Backward(items) {
		for _, text := range textsNamed(item, name) {
			value := string(rawjson.AppendQuote(nil, text))
			f := filter{argument.Name, value, func(item json.RawMessage) bool { return slices.Contains(textsNamed(item, name), text) },
				func(item json.RawMessage) bool { return unlike(textsNamed(item, name), text) }, looseFilters().MatchString(name)}
			if everyItem().MatchString(text) || !slices.ContainsFunc(items, f.differs) ||
				slices.ContainsFunc(some, func(other filter) bool { return other.value == value }) ||
				string(At(withArgument(t, t.Arguments, argument.Name, value), "/"+schema.Token(argument.Name))) != value {
				continue
			}
			if some = append(some, f); len(some) == 2 {
				return some
			}
		}
	}
	return some
}

// textsNamed returns the text that an item has in the property of a name, or the texts if it has the plural and is a list.
func textsNamed(item json.RawMessage, name string) []string {
	members, _ := schema.Members(item)
	for _, m := range members {
		switch own := schema.Snake(m.Name); {
		case own == name && schema.Kind(m.Value) == '"':
			text, _ := schema.Text(m.Value)
			return []string{text}
		case (own == name || own == name+"s") && schema.Kind(m.Value) == '[':
			return stringsIn(m.Value)
		}
	}
	return nil
}

// unlike reports whether an item has texts, and none of them has the words of a text, or the other way round.
func unlike(texts []string, text string) bool {
	words := spacedWords(text)
	return len(texts) > 0 && !slices.ContainsFunc(texts, func(other string) bool {
		others := spacedWords(other)
		return strings.Contains(others, words) || strings.Contains(words, others)
	})
}

// spacedWords is a text in lower case with single spaces around its words.
func spacedWords(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return " " + strings.Join(words, " ") + " "
}

// boundOf returns the filter for a limit of a number, such as min_price: the value is one of the items, with others on both sides of
// the limit. It has none if the tool says that the limit itself is excluded.
func boundOf(t Tool, argument schema.Member, side, name string, items []json.RawMessage) []filter {
	numbers := make([]float64, 0, len(items))
	for _, item := range items {
		if n, ok := numberNamed(item, name); ok {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	if len(numbers) < 3 || exclusive().MatchString(schema.TextAt(argument.Value, "/description")) {
		return nil
	}
	limit := numbers[len(numbers)/2]
	if limit != math.Trunc(limit) && !exactNumbers().MatchString(name) { // the item may show a rounded one
		limit = (limit + numbers[len(numbers)/2-1]) / 2
	}
	value := strconv.FormatFloat(limit, 'f', -1, 64)
	if string(At(withArgument(t, t.Arguments, argument.Name, value), "/"+schema.Token(argument.Name))) != value {
		return nil
	}
	matches := func(item json.RawMessage) bool {
		n, ok := numberNamed(item, name)
		return ok && (side == "min" && n >= limit || side == "max" && n <= limit)
	}
	return []filter{{argument.Name, value, matches, func(item json.RawMessage) bool {
		_, ok := numberNamed(item, name)
		return ok && !matches(item)
	}, false}}
}

// numberNamed returns the number that an item has in the property of a name.
func numberNamed(item json.RawMessage, name string) (float64, bool) {
	members, _ := schema.Members(item)
	for _, m := range members {
		if schema.Snake(m.Name) == name && schema.Kind(m.Value) == '0' {
			n, err := strconv.ParseFloat(string(m.Value), 64)
			return n, err == nil
		}
	}
	return 0, false
}

// tryFilter reports a filter whose items are not those that the list without it has, if that is so again.
func (p *CheckContext) tryFilter(ctx context.Context, t Tool, f filter) (found bool, err error) {
	limit := numberArgument(t, sizeNames().MatchString, 1)
	for _, most := range []string{"", "1"} {
		if most != "" && limit == "" {
			break
		}
		arguments := withArgument(t, t.Arguments, f.name, f.value)
		if most != "" {
			arguments = withArgument(t, arguments, limit, most)
		}
		var message string
		var ex *mcp.Exchange
		for range 2 {
			if message, ex, err = p.filterFault(ctx, t, f, arguments, limit, most); err != nil || message == "" {
				break
			}
		}
		if err != nil {
			return false, err
		}
		if message != "" {
			p.once(Evidence{Subject: t.Name, Exchange: ex, Led: true}, "%s", message)
			return true, nil
		}
	}
	return false, nil
}

// filterFault compares the list of a filter with the one without it, and says what is wrong; empty if nothing is. A list that has
// more pages may have its items there.
func (p *CheckContext) filterFault(ctx context.Context, t Tool, f filter, arguments json.RawMessage, limit, most string) (
	message string, ex *mcp.Exchange, err error) {
	all, _, err := p.page(ctx, t, t.Arguments)
	if err != nil {
		return "", nil, err
	}
	some, ex, err := p.page(ctx, t, arguments)
	if err != nil || some == nil {
		return "", nil, err
	}
	expected := 0
	for _, item := range all {
		if f.matches(item) {
			expected++
		}
	}
	what := fmt.Sprintf("%s is %s", f.name, f.value)
	if most != "" {
		expected = min(expected, 1)
		what += fmt.Sprintf(" and %s %s", limit, most)
	}
	for _, item := range some {
		if f.differs(item) && !f.loose {
			return fmt.Sprintf("%s: expected only items that match, got %s", what, show(item)), ex, nil
		}
	}
	if cursor, _ := nextCursor(ex.Reply.Result); len(some) < expected && cursor == "" && !saysMore(ex.Reply.Result, math.MaxInt) {
		return fmt.Sprintf("%s: expected all matching items of the list without it (%d), got %d", what, expected, len(some)), ex, nil
	}
	return "", ex, nil
}
