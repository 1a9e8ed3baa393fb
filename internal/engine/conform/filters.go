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
	other   string                     // another value of an item, as JSON; empty for a limit of a number
	loose   bool                       // the argument may also select items that do not match
}

// Limits of a tool: how many filters are tried, of how many items, and how long their texts are.
const (
	maxFilters    = 8
	maxFiltered   = 100
	maxFilterText = 40
)

var (
	// notFilters matches arguments that do not select the items of the same value, looseFilters those that may select others, too:
	// texts that contain it, or higher levels. Days and times may be those from which on items are returned.
	notFilters = lazyregexp.New(`^(?:\w*id|q|query|search|text|term|keywords?|path|dir|directory|folder|url|uri|key|sha|ref|rev|revision|` +
		`commit|hash|distance|sort\w*|order\w*|direction|format|units?|currency|fields?|include\w*|exclude\w*|expand|limit|offset|` +
		`page\w*|cursor|size|count|max|min|base|depth)$|` +
		`(?:^|_)(?:date|time|timestamp|day|month|week|year|at|on|start|end|from|to|since|until|before|after|due|deadline)(?:_|$)`)
	looseFilters = lazyregexp.New(`^(?:name|title|level|severity|priority|version|lang|language|locale|tz|namespace|symbol)$`)
	// codes matches descriptions of arguments whose values may be others than those in the items.
	codes = lazyregexp.New(`(?i)\b(?:ids?|codes?|slugs?|keys?|iso|usernames?|logins?|handles?|e-?mails?|letters?|regex\w*|globs?|` +
		`patterns?|abbreviat\w*|prefix\w*)\b`)
	// inUnits matches descriptions of limits in a unit.
	inUnits = lazyregexp.New(`(?i)\b(?:bytes|[kmg]i?b|km|kilomet\w+|meters?|metres?|miles?|minutes?|seconds?|hours?|days?|percent\w*|cents)\b|%`)
	// counted matches descriptions of limits of what is looked at, not of what is returned.
	counted      = lazyregexp.New(`(?i)\b(?:last|latest|recent|newest|scan\w*|read|inspect\w*|search\w*|look\w*|fetch\w*)\b`)
	bounds       = lazyregexp.New(`^(?:(min|max)(?:imum)?_(\w+)|(\w+)_(min|max)(?:imum)?)$`)
	exclusive    = lazyregexp.New(`(?i)\b(?:exclusiv\w*|strictly|below|above|less than|more than|greater than|over|under|default\w*)\b`)
	exactNumbers = lazyregexp.New(`price|cost|amount|total|fee|balance`)
	everyItem    = lazyregexp.New(`(?i)^(?:all|any|every|both|none|\*)?$`)
)

// filtersOf lists the filters of a tool that returned some items.
func filtersOf(t Tool, items []json.RawMessage) []filter {
	optional := optionalProperties(t.Definition)
	items = items[:min(len(items), maxFiltered)]
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
	if At(argument.Value, "/enum") == nil && codes().MatchString(schema.TextAt(argument.Value, "/description")) {
		return nil
	}
	var some []filter
	tried := map[string]bool{}
	for _, item := range slices.Backward(items) {
		for _, text := range textsNamed(item, name) {
			if tried[text] || len(text) > maxFilterText || strings.ContainsAny(text, "\n…*?|[](){}^$\\") || strings.HasSuffix(text, "...") {
				continue
			}
			tried[text] = true
			value := string(rawjson.AppendQuote(nil, text))
			f := filter{name: argument.Name, value: value, loose: looseFilters().MatchString(name),
				matches: func(item json.RawMessage) bool { return slices.Contains(textsNamed(item, name), text) },
				differs: func(item json.RawMessage) bool { return unlike(textsNamed(item, name), text) }}
			at := slices.IndexFunc(items, f.differs)
			if at >= 0 {
				f.other = string(rawjson.AppendQuote(nil, textsNamed(items[at], name)[0]))
			}
			if everyItem().MatchString(text) || at < 0 || !hasArgument(withArgument(t, t.Arguments, argument.Name, value), argument.Name, value) {
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
// the limit. There is none if the description says that the limit itself is excluded, that it has a default, or that it is in another unit.
func boundOf(t Tool, argument schema.Member, side, name string, items []json.RawMessage) []filter {
	numbers := make([]float64, 0, len(items))
	for _, item := range items {
		if n, ok := numberNamed(item, name); ok {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	description := schema.TextAt(argument.Value, "/description")
	if len(numbers) < 3 || exclusive().MatchString(description) || inUnits().MatchString(description) {
		return nil
	}
	limit := numbers[len(numbers)/2]
	if !exactNumbers().MatchString(name) { // the item may show a rounded one
		gap := limit - numbers[len(numbers)/2-1]
		if whole := !takes(argument.Value, "1.5"); whole && gap < 2 {
			return nil
		} else if whole {
			limit -= math.Trunc(gap / 2)
		} else {
			limit -= gap / 2
		}
	}
	value := strconv.FormatFloat(limit, 'f', -1, 64)
	if !hasArgument(withArgument(t, t.Arguments, argument.Name, value), argument.Name, value) {
		return nil
	}
	matches := func(item json.RawMessage) bool {
		n, ok := numberNamed(item, name)
		return ok && (side == "min" && n >= limit || side == "max" && n <= limit)
	}
	return []filter{{name: argument.Name, value: value, matches: matches, differs: func(item json.RawMessage) bool {
		_, ok := numberNamed(item, name)
		return ok && !matches(item)
	}}}
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

// tryFilter reports a filter whose items are not those that the list without it has, if that is so again. It is tried alone, and
// with the smallest limit if the tool keeps to it.
func (p *CheckContext) tryFilter(ctx context.Context, t Tool, f filter) (found bool, err error) {
	arguments := withArgument(t, t.Arguments, f.name, f.value)
	if found, err = p.faulty(ctx, t, f, arguments, ""); found || err != nil {
		return found, err
	}
	limit := pageLimit(t)
	if limit == "" || counted().MatchString(schema.TextAt(declaredArgument(t.Definition, limit), "/description")) {
		return false, nil
	}
	one, _, err := p.page(ctx, t, withArgument(t, t.Arguments, limit, "1"))
	if err != nil || len(one) != 1 {
		return false, err
	}
	return p.faulty(ctx, t, f, withArgument(t, arguments, limit, "1"), limit)
}

// faulty reports a filter that fails twice. The limit is the name of the argument that is 1, or empty.
func (p *CheckContext) faulty(ctx context.Context, t Tool, f filter, arguments json.RawMessage, limit string) (bool, error) {
	var message string
	var ex *mcp.Exchange
	for range 2 {
		var err error
		if message, ex, err = p.filterFault(ctx, t, f, arguments, limit); err != nil || message == "" {
			return false, err
		}
	}
	p.once(Evidence{Subject: t.Name, Exchange: ex, Led: true}, "%s", message)
	return true, nil
}

// filterFault compares the list of a filter with the one without it, and says what is wrong; empty if nothing is. A list that has
// more pages may have its items there. A text may select other items on purpose, such as those of a subcategory, but not only others,
// and not all whatever it is.
func (p *CheckContext) filterFault(ctx context.Context, t Tool, f filter, arguments json.RawMessage, limit string) (
	message string, ex *mcp.Exchange, err error) {
	all, unfiltered, err := p.page(ctx, t, t.Arguments)
	if err != nil {
		return "", nil, err
	}
	some, ex, err := p.page(ctx, t, arguments)
	if err != nil || some == nil {
		return "", nil, err
	}
	what, expected := fmt.Sprintf("%s is %s", f.name, f.value), 0
	for _, item := range all {
		if f.matches(item) {
			expected++
		}
	}
	if limit != "" {
		expected = min(expected, 1)
		what += fmt.Sprintf(" and %s 1", limit)
	}
	at := slices.IndexFunc(some, f.differs)
	switch cursor, _ := nextCursor(ex.Reply.Result); {
	case at >= 0 && f.other == "":
		return fmt.Sprintf("%s: expected only items that match, got %s", what, show(some[at])), ex, nil
	case at >= 0 && !f.loose && !slices.ContainsFunc(some, func(item json.RawMessage) bool { return !f.differs(item) }):
		return fmt.Sprintf("%s: expected items that match, got only others, such as %s", what, show(some[at])), ex, nil
	case at >= 0 && !f.loose && limit == "" && equalItems(all, some):
		others, _, err := p.page(ctx, t, withArgument(t, t.Arguments, f.name, f.other))
		if err != nil || !equalItems(all, others) {
			return "", nil, err
		}
		return fmt.Sprintf("%s: expected only items that match, got the list without it, also if it is %s", what, f.other), ex, nil
	case len(some) < expected && cursor == "" && !saysMore(ex.Reply.Result, math.MaxInt):
		return fmt.Sprintf("%s: expected at least the matching items of the list without it (%d), got %d", what, expected, len(some)), ex, nil
	case limit == "" && cursor == "" && !saysMore(ex.Reply.Result, math.MaxInt):
		member, total := totalOf(ex.Reply.Result)
		counts, most := totalOf(unfiltered.Reply.Result)
		if member != "" && member == counts && most >= len(all) && len(some) < total && total <= len(all) {
			return fmt.Sprintf("%s: %s is %d, which a page of this list has room for: expected all of them, got %d", what, member, total,
				len(some)), ex, nil
		}
	}
	return "", ex, nil
}
