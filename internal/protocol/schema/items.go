package schema

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

// An Item is one of the things that a tool returned, such as an order of list_orders.
type Item struct {
	tool    string   // the name of the tool that returned it
	noun    string   // what it is, in the singular; empty if the result does not say so
	members []Member // its texts and numbers; a single one without a name if the item is a value
}

// Limits of the items that are used.
const (
	maxItems     = 12      // of a result
	perList      = 8       // of a list
	maxItemDepth = 4       // of the lists and objects around an item
	maxItemText  = 120     // bytes of a value
	maxOfResult  = 100_000 // bytes of a result that is searched

	minAbbreviation = 3 // letters of a noun
)

var (
	// verb matches what stands before the noun in the name of a tool.
	verb = lazyregexp.New(`^(?:list|search|find|get|show|browse|query|fetch|read|lookup|look_up|describe|view|inspect|check)_(?:all_|available_|my_)?`)
	// wrapper matches the names of lists that do not say what is in them.
	wrapper = lazyregexp.New(`^(?:results?|items|data|records|entries|matches|rows|hits|list|values|found|page|content)$`)
	// paths matches the names of arguments that are the path of a file.
	paths = lazyregexp.New(`^(?:(?:file|source|relative)_?)?(?:path|file|file_?name)$`)
	// files matches the names of lists of what is in a folder.
	files = lazyregexp.New(`^(?:file|entry|folder|directory|dir|path|document)$`)
	// identifiers matches texts such as INV-17.
	identifiers = lazyregexp.New(`\b[A-Za-z]{1,12}[-_:#]?\d{1,8}\b`)
)

// keys are the names of members by which an item is looked up, the most usual first.
var keys = []string{"id", "key", "code", "slug", "uuid", "number", "ref", "reference", "symbol", "sku", "handle", "name", "title", "uri", "url",
	"path"}

// NounOf is what a tool returns, in the singular.
func NounOf(tool string) string {
	name := Snake(tool)
	noun := Singular(strings.TrimPrefix(name, verb().FindString(name)))
	for _, detail := range []string{"_detail", "_info", "_by_id", "_by_name"} {
		noun = strings.TrimSuffix(noun, detail)
	}
	return noun
}

// Items returns what a result of a tool contains.
func Items(tool string, result json.RawMessage) []Item {
	if len(result) > maxOfResult {
		return nil
	}
	c := itemCollector{tool: tool}
	if data, ok := Get(result, "/structuredContent"); ok {
		c.collect(NounOf(tool), data, 0)
		return c.items
	}
	content, _ := Get(result, "/content")
	blocks, _ := Elements(content)
	for _, b := range blocks {
		text := strings.TrimSpace(TextAt(b, "/text"))
		if json.Valid([]byte(text)) {
			c.collect(NounOf(tool), json.RawMessage(text), 0)
			continue
		}
		for _, value := range identifiers().FindAllString(text, perList) {
			c.add(Item{tool, NounOf(tool), []Member{{Value: rawjson.Quote(value)}}})
		}
	}
	return c.items
}

// An itemCollector collects the items of a result.
type itemCollector struct {
	tool  string
	items []Item
}

func (c *itemCollector) add(i Item) {
	if len(i.members) > 0 && len(c.items) < maxItems {
		c.items = append(c.items, i)
	}
}

// collect adds the items in a value: the lists in it first, because the members of an object around them seldom name anything.
func (c *itemCollector) collect(noun string, value json.RawMessage, depth int) {
	if depth > maxItemDepth {
		return
	}
	switch Kind(value) {
	case '[':
		elements, _ := Elements(value)
		for _, e := range elements[:min(len(elements), perList)] {
			if isShort(e) {
				c.add(Item{c.tool, noun, []Member{{Value: e}}})
			} else {
				c.collect(noun, e, depth+1)
			}
		}
	case '{':
		members, _ := Members(value)
		i := Item{tool: c.tool, noun: noun}
		for _, m := range members {
			switch {
			case isShort(m.Value):
				i.members = append(i.members, m)
			case Kind(m.Value) == '[' && depth == 0:
				inner := Snake(m.Name)
				if wrapper().MatchString(inner) {
					inner = noun
				}
				c.collect(Singular(inner), m.Value, depth+1)
			}
		}
		c.add(i)
		for _, m := range members {
			if Kind(m.Value) == '{' || Kind(m.Value) == '[' && depth > 0 {
				c.collect(Singular(Snake(m.Name)), m.Value, depth+1)
			}
		}
	}
}

// isShort reports whether a value is a number or a text that may name something.
func isShort(value json.RawMessage) bool {
	return Kind(value) == '0' || Kind(value) == '"' && len(value) > len(`""`) && len(value) <= maxItemText
}

// Like returns a function that returns the value of an item for an argument with a pattern, such as a code of three capital letters;
// nil for a pattern that also matches plain words and numbers, and so says nothing about the value.
func Like(pattern string) func(Item) json.RawMessage {
	re, err := regexp.Compile(pattern)
	if err != nil || slices.ContainsFunc([]string{"text", "TEXT", "Text", "administrator", "a", "A", "a b", "7"}, re.MatchString) {
		return nil
	}
	return func(i Item) (found json.RawMessage) {
		best := len(keys) + 1
		for _, m := range i.members {
			text, ok := Text(m.Value)
			if !ok || !re.MatchString(text) || realTime(text) != text {
				continue
			}
			at := slices.Index(keys, Snake(m.Name))
			if at < 0 {
				at = len(keys)
			}
			if at < best {
				best, found = at, m.Value
			}
		}
		return found
	}
}

// ValueFor returns the value of an item that an argument calls for, of a tool that returns something; nil if there is none.
func (i Item) ValueFor(argument, wanted string) json.RawMessage {
	for _, m := range i.members {
		name := Snake(m.Name)
		if name == argument && (name != "id" && name != "name" || i.noun == wanted || i.noun == "") {
			return m.Value
		}
	}
	about := argument == i.noun || strings.HasSuffix(argument, "_"+i.noun) || // order, or from_station for a station
		len(argument) >= minAbbreviation && strings.HasPrefix(i.noun, argument) // repo for a repository
	looksUp := i.noun == wanted && slices.Contains(keys, argument)
	for _, m := range i.members {
		name := Snake(m.Name)
		switch {
		case name == "" && (about || looksUp || strings.Contains("_"+argument, "_"+i.noun+"_")),
			i.noun != "" && strings.Contains("_"+argument, "_"+i.noun+"_"+name),
			looksUp && name == i.noun+"_"+argument,
			strings.Contains(name, "_") && strings.HasSuffix(argument, "_"+name):
			return m.Value
		}
	}
	if paths().MatchString(argument) && i.noun != "" {
		if path := i.path(); path != nil {
			return path
		}
	}
	if !about && !(looksUp && argument != "name" && argument != "title") {
		return nil
	}
	for _, key := range keys {
		for _, m := range i.members {
			if Snake(m.Name) == key {
				return m.Value
			}
		}
	}
	return nil
}

// Named returns the value of an item for an argument whose description names the tool that returned it: "as returned by list_places". It is
// the value by which an item is looked up, or the first name in an object that maps IDs to something. It is nil if the description does
// not name the tool.
func (i Item) Named(description string) json.RawMessage {
	if i.tool == "" || len(i.members) == 0 || !slices.Contains(strings.FieldsFunc(description, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-'
	}), i.tool) {
		return nil
	}
	for _, key := range append([]string{""}, keys...) {
		for _, m := range i.members {
			name := Snake(m.Name)
			if name == key || key != "" && name == i.noun+"_"+key {
				return m.Value
			}
		}
	}
	return rawjson.Quote(i.members[0].Name)
}

// path is the path or name of a file; nil if the item is none.
func (i Item) path() (path json.RawMessage) {
	for _, m := range i.members {
		switch name := Snake(m.Name); {
		case name == "path" || name == "file_path":
			return m.Value
		case files().MatchString(i.noun) && (name == "name" || name == "file" || name == "filename" || name == ""):
			path = m.Value
		}
	}
	return path
}
