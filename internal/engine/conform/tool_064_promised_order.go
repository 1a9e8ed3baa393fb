package conform

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/safety"
)

var tool064 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-064",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#tool-result"),
		Doc: `list should have the order that its description promises

The description of a read-only tool says in which order the items are, such as "newest first" or "highest version first". No date,
number or version of the items is in that order, in two calls. A model that takes the first item gets another one than it was
promised. Typical cause: the code sorts versions or numbers as texts, so that 1.9 comes before 1.10. Sort by the value, or correct
the description.`,
	},
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.quick(ctx)
		if err != nil {
			return err
		}
		tried, ends := 0, time.Now().Add(p.round.opts.Timeout)
		for _, c := range done {
			promise := promisedOrder(c.Definition)
			if promise == nil || c.Result() == nil || c.Failed() || !safety.Reads(c.Definition) || time.Now().After(ends) {
				continue
			}
			tried++
			if err := p.comparePromise(ctx, c.Tool, promise); err != nil {
				return err
			}
		}
		if tried == 0 {
			return p.Skip("no called read-only tool promises an order")
		}
		return nil
	},
}

// An orderPromise is an order that a description promises.
type orderPromise struct {
	words     string // of the description
	direction int    // 1 for ascending, -1 for descending
	kinds     []sortKind
	about     []string // words of which one must be in the name of the property; nil for any
}

// A sortKind is a kind of values that a promise may be about.
type sortKind struct {
	named  func() *regexp.Regexp // the properties with such values; an item that is a value itself has no name
	except func() *regexp.Regexp
	parse  func(text string, isNumber bool) (sortValue, bool)
}

var (
	timeKind = sortKind{lazyregexp.New(`^$|date|time|_at$|_on$|day|creat|updat|publish|releas|modif`),
		lazyregexp.New(`due|start|end|expir|birth|valid|sched|deadline|close|eta|zone`), asTime}
	versionKind = sortKind{lazyregexp.New(`^$|version|tag|release`), lazyregexp.New(`min|max|requires|protocol|schema`), asVersion}
	numberKind  = sortKind{lazyregexp.New(`^$|\w`), lazyregexp.New(`(?:^|_)(?:id|no|nr|num|number|key|ref|index|position|year|port|lat|lon|priority|severity|rank|level|tier|grade)$`), asNumber}
)

// A sortValue is a value that has an order: a number, the parts of a version, or a text such as a date.
type sortValue struct {
	number []json.Number
	text   string
}

var (
	// promises matches the words about an order in a description: the first group is what comes first, the second one what it is
	// about.
	promises = lazyregexp.New(`(?i)\b(newest|latest|most recent|oldest|earliest|highest|largest|biggest|lowest|smallest|cheapest)` +
		`((?: [a-z]+){0,2}) first\b`)
	// conditions are words with which the order depends on something else.
	conditions = lazyregexp.New(`(?i)\b(?:if|unless|when|by default|relevan\w+|rank\w*|score\w*|within each|grouped|then)\b`)
	versions   = lazyregexp.New(`^v?\d+(?:\.\d+){1,3}$`)
	timestamps = lazyregexp.New(`^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?$`)
)

// promisedOrder returns the order that the descriptions of a tool and of its results promise; nil if they promise none, more than one,
// or one that depends on something.
func promisedOrder(tool json.RawMessage) *orderPromise {
	for _, m := range declaredArguments(tool) {
		if name := schema.Snake(m.Name); sortNames().MatchString(name) || strings.HasPrefix(name, "order") || strings.HasPrefix(name, "direction") {
			return nil
		}
	}
	text := schema.TextAt(tool, "/description")
	properties, _ := schema.Members(At(tool, "/outputSchema/properties"))
	for _, m := range properties {
		text += ". " + schema.TextAt(m.Value, "/description")
	}
	var found *orderPromise
	for sentence := range strings.SplitSeq(text, ". ") {
		match := promises().FindStringSubmatch(sentence)
		if match == nil {
			continue
		}
		next := &orderPromise{words: strings.ToLower(match[0])}
		for word := range strings.FieldsSeq(strings.ToLower(match[2])) {
			if one := schema.Singular(word); one != schema.NounOf(schema.TextAt(tool, "/name")) && !slices.Contains(plainNouns, one) {
				next.about = append(next.about, one)
			}
		}
		switch word := strings.ToLower(match[1]); word {
		case "newest", "latest", "most recent":
			next.direction, next.kinds = -1, []sortKind{timeKind, versionKind}
		case "oldest", "earliest":
			next.direction, next.kinds = 1, []sortKind{timeKind, versionKind}
		case "highest", "largest", "biggest":
			next.direction, next.kinds = -1, []sortKind{numberKind, versionKind}
		default:
			next.direction, next.kinds = 1, []sortKind{numberKind, versionKind}
		}
		if conditions().MatchString(sentence) || found != nil && found.words != next.words {
			return nil
		}
		found = next
	}
	return found
}

// plainNouns are words for the items of a list, which no property is named after.
var plainNouns = strings.Fields("item entry record result one message event note post row version release")

func asTime(text string, isNumber bool) (sortValue, bool) {
	return sortValue{text: strings.Replace(text, " ", "T", 1)}, !isNumber && timestamps().MatchString(text)
}

func asNumber(text string, isNumber bool) (sortValue, bool) {
	return sortValue{number: []json.Number{json.Number(text)}}, isNumber
}

func asVersion(text string, isNumber bool) (sortValue, bool) {
	if isNumber || !versions().MatchString(text) {
		return sortValue{}, false
	}
	var v sortValue
	for part := range strings.SplitSeq(strings.TrimPrefix(text, "v"), ".") {
		v.number = append(v.number, json.Number(part))
	}
	return v, true
}

// compare orders two values of one kind.
func (v sortValue) compare(other sortValue) int {
	if v.number == nil {
		return strings.Compare(v.text, other.text)
	}
	return slices.CompareFunc(v.number, other.number, func(a, b json.Number) int {
		x, _ := a.Float64()
		y, _ := b.Float64()
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
}

// comparePromise reports a tool whose list has another order than promised, if that is so again.
func (p *CheckContext) comparePromise(ctx context.Context, t Tool, promise *orderPromise) error {
	var fault string
	var ex *mcp.Exchange
	for range 2 {
		var items []json.RawMessage
		var err error
		if items, ex, err = p.page(ctx, t, t.Arguments); err != nil {
			return err
		}
		if fault = promise.broken(items); fault == "" {
			return nil
		}
	}
	p.Report(Evidence{Subject: t.Name, Exchange: ex}, "expected %s, got %s", promise.words, fault)
	return nil
}

// broken returns the values that are not in the promised order; empty if any property of the items is, or none has an order. Of
// several numbers, nothing says which one is meant.
func (o *orderPromise) broken(items []json.RawMessage) string {
	if len(items) < 3 {
		return ""
	}
	names := []string{""} // the item itself
	if members, _ := schema.Members(items[0]); len(members) > 0 {
		names = nil
		for _, m := range members {
			names = append(names, m.Name)
		}
	}
	said, numbers := "", 0
	for _, name := range names {
		if !o.mayMean(name) {
			continue
		}
		for _, kind := range o.kinds {
			texts, values := kind.column(items, name)
			switch {
			case values == nil:
				continue
			case isSortedBy(values, o.direction) || isInGroups(items, values, o.direction):
				return ""
			case said == "":
				said = strings.Join(texts[:min(len(texts), 8)], ", ")
			}
			if len(values[0].number) == 1 {
				numbers++
			}
		}
	}
	if numbers > 1 {
		return ""
	}
	return said
}

// mayMean reports whether the promise may be about a property.
func (o *orderPromise) mayMean(name string) bool {
	return name == "" || o.about == nil || slices.ContainsFunc(o.about, func(word string) bool { return strings.Contains(schema.Snake(name), word) })
}

// column returns the values of a property of all items; nil if not all have one of this kind. Times must have the same precision.
func (k sortKind) column(items []json.RawMessage, name string) (texts []string, values []sortValue) {
	if snake := schema.Snake(name); !k.named().MatchString(snake) || k.except().MatchString(snake) {
		return nil, nil
	}
	for _, item := range items {
		raw := item
		if name != "" {
			raw = member(item, name)
		}
		text, isText := schema.Text(raw)
		if !isText {
			text = string(raw)
		}
		value, ok := k.parse(text, schema.Kind(raw) == '0')
		if !ok || len(values) > 0 && len(value.text) != len(values[0].text) {
			return nil, nil
		}
		texts, values = append(texts, text), append(values, value)
	}
	return texts, values
}

func isSortedBy(values []sortValue, direction int) bool {
	return slices.IsSortedFunc(values, func(a, b sortValue) int { return direction * a.compare(b) })
}

// isInGroups reports whether the items are sorted in each group of items with the same value of another property: pinned items first,
// or one group for each category.
func isInGroups(items []json.RawMessage, values []sortValue, direction int) bool {
	members, _ := schema.Members(items[0])
	for _, m := range members {
		if kind := schema.Kind(m.Value); kind != 't' && kind != 'f' && kind != '"' {
			continue
		}
		start, groups, sorted := 0, 0, true
		for i := 1; i <= len(items); i++ {
			if i < len(items) && equalJSON(member(items[i], m.Name), member(items[start], m.Name)) {
				continue
			}
			sorted = sorted && isSortedBy(values[start:i], direction)
			start = i
			groups++
		}
		if sorted && groups > 1 && 2*groups <= len(items) {
			return true
		}
	}
	return false
}
