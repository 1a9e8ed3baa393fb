package replay

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/recording"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/volatile"
)

// A change is one difference between two JSON values.
type change struct {
	path     string // JSON Pointer; * stands for the index of an element
	kind     Kind
	old, new json.RawMessage
}

// A comparison compares values of two runs.
type comparison struct {
	before, after time.Time         // of the runs
	volatile      map[string]bool   // paths whose values differ from call to call
	arguments     string            // of the request: IDs in it are not new ones
	ids           map[string]string // IDs of the first run and those of the second, as JSON; may be nil
	changes       []change
	work          int // values compared so far
}

// maxDepth is how deep values are compared; a recording has no deeper ones.
const maxDepth = 64

func (c *comparison) add(path string, kind Kind, old, new json.RawMessage) {
	c.changes = append(c.changes, change{path, kind, old, new})
}

// values compares two values at a path whose last name is name.
func (c *comparison) values(path, name string, old, new json.RawMessage, depth int) {
	if c.work++; depth > maxDepth {
		return
	}
	kind := schema.Kind(old)
	if string(old) == redacted {
		return
	}
	if jsonType(kind) != jsonType(schema.Kind(new)) {
		c.add(path, Type, old, new)
		return
	}
	switch kind {
	case '{':
		c.objects(path, old, new, depth)
	case '[':
		c.arrays(path, old, new, depth)
	case '"':
		c.texts(path, name, old, new, depth)
	default:
		if string(old) != string(new) && !c.sameScalar(path, name, old, new) {
			c.add(path, Value, old, new)
		}
	}
}

// number returns the value of a JSON number.
func number(raw json.RawMessage) float64 {
	n, _ := strconv.ParseFloat(string(raw), 64)
	return n
}

// jsonType returns the kind of a value; true and false have the same.
func jsonType(kind byte) byte {
	if kind == 't' {
		return 'f'
	}
	return kind
}

// sameScalar reports whether two different numbers or booleans mean the same in their runs.
func (c *comparison) sameScalar(path, name string, old, new json.RawMessage) bool {
	if c.volatile[path] {
		return true
	}
	if schema.Kind(old) != '0' {
		return false
	}
	a, b := number(old), number(new)
	switch {
	case a == b, volatile.IsNow(a, c.before) && volatile.IsNow(b, c.after):
		return true
	case volatile.IsIDName(name) && !strings.Contains(c.arguments, string(old)):
		c.learn(old, new)
		return true
	}
	return false
}

func (c *comparison) learn(old, new json.RawMessage) {
	if c.ids != nil {
		c.ids[string(old)] = string(new)
	}
}

// maxNormalized is the size up to which texts are normalized as a whole.
const maxNormalized = 1 << 20

func (c *comparison) texts(path, name string, old, new json.RawMessage, depth int) {
	if string(old) == string(new) {
		return
	}
	a, _ := schema.Text(old)
	b, _ := schema.Text(new)
	if a == b {
		return
	}
	x, y, same := a, b, false
	if len(a)+len(b) > maxNormalized {
		same = volatile.SameLines(a, b, c.before, c.after)
	} else {
		x, y = volatile.Normalize(a, c.before), volatile.Normalize(b, c.after)
		same = x == y
	}
	switch {
	case same:
		if strings.Contains(x, volatile.ID) {
			c.learn(old, new)
		}
	case c.volatile[path], volatile.IsIDName(name) && !strings.Contains(c.arguments, a):
		c.learn(old, new)
	case strings.Contains(x, redact.Placeholder) && recording.MatchesRedacted(x, y):
	case volatile.IsJSON(a) && volatile.IsJSON(b):
		c.values(path, name, json.RawMessage(a), json.RawMessage(b), depth+1)
	case volatile.IsText64(name, a) && volatile.IsText64(name, b):
		c.values(path, "", volatile.Decode64(a), volatile.Decode64(b), depth+1)
	default:
		c.add(path, Value, old, new)
	}
}

// redacted is a value that the recording does not contain.
var redacted = string(rawjson.Quote(redact.Placeholder))

func (c *comparison) objects(path string, old, new json.RawMessage, depth int) {
	before, _ := schema.Members(old)
	after, _ := schema.Members(new)
	mirrored := volatile.IsMirror(before) && volatile.IsMirror(after)
	for _, m := range before {
		if m.Name == "_meta" || mirrored && m.Name == "content" {
			continue
		}
		at := path + "/" + schema.Token(m.Name)
		i := slices.IndexFunc(after, func(o schema.Member) bool { return o.Name == m.Name })
		if i < 0 {
			c.add(at, Removed, m.Value, nil)
			continue
		}
		c.values(at, m.Name, m.Value, after[i].Value, depth+1)
	}
	for _, m := range after {
		if m.Name != "_meta" && !slices.ContainsFunc(before, func(o schema.Member) bool { return o.Name == m.Name }) {
			c.add(path+"/"+schema.Token(m.Name), Added, nil, m.Value)
		}
	}
}

// arrays compares elements by their name, URI or ID if they have one, otherwise in any order. URIs and IDs that are
// new in each run do not identify elements.
func (c *comparison) arrays(path string, old, new json.RawMessage, depth int) {
	before, _ := schema.Elements(old)
	after, _ := schema.Elements(new)
	for _, key := range []string{"name", "uri", "uriTemplate", "id"} {
		if a, b := byKey(before, key), byKey(after, key); a != nil && b != nil && (key == "name" || overlap(a, b)) {
			c.keyed(path, a, b, depth)
			return
		}
	}
	if len(before)*len(after) > maxPairs {
		c.pairs(path, before, after, depth)
		return
	}
	var rest []json.RawMessage
	for _, x := range before {
		at := slices.IndexFunc(after, func(y json.RawMessage) bool {
			return c.work <= maxWork && c.same(path+"/*", x, y, depth)
		})
		if at < 0 {
			rest = append(rest, x)
			continue
		}
		after = slices.Delete(slices.Clone(after), at, at+1)
	}
	c.pairs(path, rest, after, depth)
}

// Limits of the comparison in any order: pairs of one array, and values of one response. Beyond them, elements are
// compared in their order.
const (
	maxPairs = 10_000
	maxWork  = 200_000
)

// pairs compares elements in their order.
func (c *comparison) pairs(path string, before, after []json.RawMessage, depth int) {
	for i := range max(len(before), len(after)) {
		switch {
		case i >= len(after):
			c.add(path+"/*", Removed, before[i], nil)
		case i >= len(before):
			c.add(path+"/*", Added, nil, after[i])
		default:
			c.values(path+"/*", "", before[i], after[i], depth+1)
		}
	}
}

// same reports whether two values are the same apart from what differs from run to run.
func (c *comparison) same(path string, old, new json.RawMessage, depth int) bool {
	if string(old) == string(new) {
		return true
	}
	trial := &comparison{before: c.before, after: c.after, volatile: c.volatile, arguments: c.arguments,
		ids: map[string]string{}, work: c.work}
	trial.values(path, "", old, new, depth+1)
	c.work = trial.work
	if len(trial.changes) > 0 {
		return false
	}
	for a, b := range trial.ids {
		c.learn(json.RawMessage(a), json.RawMessage(b))
	}
	return true
}

// A keyedElement is an element of an array with its name.
type keyedElement struct {
	key   string
	value json.RawMessage
}

// byKey returns elements with their unique names; nil if one has none.
func byKey(elements []json.RawMessage, key string) []keyedElement {
	var all []keyedElement
	seen := map[string]bool{}
	for _, e := range elements {
		raw, _ := schema.Get(e, "/"+key)
		text, ok := schema.Text(raw)
		if !ok || seen[text] {
			return nil
		}
		seen[text] = true
		all = append(all, keyedElement{text, e})
	}
	return all
}

// overlap reports whether a name occurs in both.
func overlap(a, b []keyedElement) bool {
	return slices.ContainsFunc(a, func(x keyedElement) bool { return find(b, x.key) >= 0 })
}

func find(all []keyedElement, key string) int {
	return slices.IndexFunc(all, func(e keyedElement) bool { return e.key == key })
}

func (c *comparison) keyed(path string, before, after []keyedElement, depth int) {
	for _, e := range before {
		at := path + "/" + schema.Token(e.key)
		if i := find(after, e.key); i >= 0 {
			c.values(at, "", e.value, after[i].value, depth+1)
		} else {
			c.add(at, Removed, e.value, nil)
		}
	}
	for _, e := range after {
		if find(before, e.key) < 0 {
			c.add(path+"/"+schema.Token(e.key), Added, nil, e.value)
		}
	}
}
