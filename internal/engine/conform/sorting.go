package conform

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A sortKey is a value of an argument such as sort_by that is the name of a property of the items.
type sortKey struct {
	argument, value string // the value as JSON
	property        string
	direction       int // of the list: 1 if the value says ascending, -1 for descending, 0 if it says neither
}

// maxSortKeys is how many keys of a tool are tried.
const maxSortKeys = 3

var (
	sortNames  = lazyregexp.New(`^(?:sort|sort_?(?:by|key|field)|order_?by)$`)
	keyForm    = lazyregexp.New(`^(\w+?)(?:[_: ](asc|desc|ascending|descending))?$`)
	isoDates   = lazyregexp.New(`^\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?$`)
	plainWords = lazyregexp.New(`^[A-Za-z]+$`)
	// named matches properties whose words have no other order than that of the letters, ranked those with an order of their own.
	named  = lazyregexp.New(`^(?:\w+_)?(?:name|title|author|label|city|country)$`)
	ranked = lazyregexp.New(`relevance|score|rank|popular|priority|severity|status|level`)
)

// sortKeysOf lists the keys by which a tool sorts its items.
func sortKeysOf(t Tool, items []json.RawMessage) []sortKey {
	var all []sortKey
	for _, m := range declaredArguments(t.Definition) {
		if !sortNames().MatchString(schema.Snake(m.Name)) {
			continue
		}
		for _, value := range stringsIn(At(m.Value, "/enum")) {
			key, isNegative := strings.CutPrefix(value, "-")
			parts := keyForm().FindStringSubmatch(schema.Snake(key))
			if parts == nil || ranked().MatchString(parts[1]) || !slices.ContainsFunc(items, func(item json.RawMessage) bool { return memberNamed(item, parts[1]) != "" }) {
				continue
			}
			raw, _ := json.Marshal(value) // a string always marshals
			found := sortKey{argument: m.Name, value: string(raw), property: parts[1]}
			switch {
			case isNegative || strings.HasPrefix(parts[2], "desc"):
				found.direction = -1
			case parts[2] != "":
				found.direction = 1
			}
			all = append(all, found)
		}
	}
	return all[:min(len(all), maxSortKeys)]
}

// sorts reports a tool whose list does not have the order of a key, if that is so again.
func (p *CheckContext) sorts(ctx context.Context, c CallResult) (found bool, err error) {
	t := c.Tool
	name, directions := directionOf(t.Definition)
	known, _ := schema.Elements(onlyList(inner(valueOf(c.Result()))))
	for _, key := range sortKeysOf(t, known) {
		tries := []struct {
			direction int
			argument  string
		}{{key.direction, ""}}
		if name != "" && key.direction == 0 {
			tries[0].direction, tries[0].argument = 1, string(directions[0])
			tries = append(tries, tries[0])
			tries[1].direction, tries[1].argument = -1, string(directions[1])
		}
		for _, try := range tries {
			arguments, what := withArgument(t, t.Arguments, key.argument, key.value), key.argument+" is "+key.value
			if try.argument != "" {
				arguments = withArgument(t, arguments, name, try.argument)
				what += " and " + name + " " + try.argument
			}
			if !hasArgument(arguments, key.argument, key.value) || try.argument != "" && !hasArgument(arguments, name, try.argument) {
				continue
			}
			var fault string
			var ex *mcp.Exchange
			for range 2 {
				var items []json.RawMessage
				if items, ex, err = p.page(ctx, t, arguments); err != nil {
					return false, err
				}
				if fault = orderFault(items, key.property, try.direction); fault == "" {
					break
				}
			}
			if fault != "" {
				p.Report(Evidence{Subject: t.Name, Exchange: ex}, "%s: %s", what, fault)
				return true, nil
			}
		}
	}
	return false, nil
}

// orderFault says in which order the items are, if it is not that of a property; empty if it is, or if the order of the property is
// not certain, as for texts with digits.
func orderFault(items []json.RawMessage, property string, direction int) string {
	var texts, values []string
	for _, item := range items {
		value := At(item, "/"+schema.Token(memberNamed(item, property)))
		text, isText := schema.Text(value)
		if !isText {
			text = string(value)
		}
		texts, values = append(texts, text), append(values, string(value))
	}
	compare := orderOf(property, values)
	if len(items) < 3 || compare == nil || isSorted(texts, compare, direction) || isGrouped(items, texts, compare, direction) {
		return ""
	}
	expected := "expected the items sorted by " + property
	switch direction {
	case 1:
		expected += " in ascending order"
	case -1:
		expected += " in descending order"
	}
	said := fmt.Sprintf("%s, got %s", expected, strings.Join(texts[:min(len(texts), 8)], ", "))
	if _, isText := schema.Text(json.RawMessage(values[0])); !isText && isSorted(texts, strings.Compare, direction) {
		said += ": numbers are compared as texts"
	}
	return said
}

// memberNamed returns the name of the member of an object that is a name in snake case; it may end with _at.
func memberNamed(item json.RawMessage, name string) string {
	members, _ := schema.Members(item)
	for _, m := range members {
		if own := schema.Snake(m.Name); own == name || own == name+"_at" {
			return m.Name
		}
	}
	return ""
}

// orderOf returns how to compare values of a property that are all numbers, dates or names of one word, given as JSON; nil for others.
func orderOf(property string, values []string) func(a, b string) int {
	numbers, dated, words := true, true, named().MatchString(property)
	for _, v := range values {
		text, isText := schema.Text(json.RawMessage(v))
		numbers = numbers && schema.Kind(json.RawMessage(v)) == '0'
		dated = dated && isText && isoDates().MatchString(text) && len(v) == len(values[0])
		words = words && isText && plainWords().MatchString(text)
	}
	switch {
	case numbers:
		return func(a, b string) int {
			x, _ := strconv.ParseFloat(a, 64)
			y, _ := strconv.ParseFloat(b, 64)
			return cmp.Compare(x, y)
		}
	case dated:
		return strings.Compare
	case words:
		return func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) }
	}
	return nil
}

// isGrouped reports whether the items are sorted in each of two groups, one after the other, as lists with directories or pinned items
// first are. The groups differ in another property with two values, or names begin with a capital letter or not.
func isGrouped(items []json.RawMessage, texts []string, compare func(a, b string) int, direction int) bool {
	if plainWords().MatchString(texts[0]) && isSorted(texts, strings.Compare, direction) {
		return true
	}
	members, _ := schema.Members(items[0])
	for _, m := range members {
		if kind := schema.Kind(m.Value); kind != 't' && kind != 'f' && kind != '"' {
			continue
		}
		var changes []int
		for i := range items[1:] {
			at := "/" + schema.Token(m.Name)
			if !equalJSON(At(items[i], at), At(items[i+1], at)) {
				changes = append(changes, i+1)
			}
		}
		if len(changes) == 1 && isSorted(texts[:changes[0]], compare, direction) && isSorted(texts[changes[0]:], compare, direction) {
			return true
		}
	}
	return false
}

// isSorted reports whether texts are sorted in a direction, or in any if it is 0.
func isSorted(texts []string, compare func(a, b string) int, direction int) bool {
	return direction >= 0 && slices.IsSortedFunc(texts, compare) ||
		direction <= 0 && slices.IsSortedFunc(texts, func(a, b string) int { return compare(b, a) })
}
