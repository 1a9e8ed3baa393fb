package cases

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// An Item is one of the things that a tool returned, such as an order of list_orders.
type Item struct {
	noun    string          // what it is, in the singular; empty if the result does not say so
	members []schema.Member // its texts and numbers; a single one without a name if the item is a value
}

// Limits of the items that are used.
const (
	maxItems     = 12      // of a result
	perList      = 8       // of a list
	maxItemDepth = 4       // of the lists and objects around an item
	maxItemText  = 120     // bytes of a value
	maxOfResult  = 100_000 // bytes of a result that is searched
	maxLent      = 10      // calls of one tool with values of items
	maxOmitting  = 3       // of them are made again without the optional arguments
)

var (
	// verb matches what stands before the noun in the name of a tool.
	verb = lazyregexp.New(`^(?:list|search|find|get|show|browse|query|fetch|read|lookup|look_up|describe|view|inspect|check)_(?:all_|available_|my_)?`)
	// wrapper matches the names of lists that do not say what is in them.
	wrapper = lazyregexp.New(`^(?:results?|items|data|records|entries|matches|rows|hits|list|values|found|page|content)$`)
	// identifiers matches texts such as INV-17.
	identifiers = lazyregexp.New(`\b[A-Za-z]{1,12}[-_:#]?\d{1,8}\b`)
)

// keys are the names of members by which an item is looked up, the most usual first.
var keys = []string{"id", "key", "code", "slug", "uuid", "number", "ref", "reference", "symbol", "sku", "handle", "name", "title", "uri", "url",
	"path"}

// nounOf is what a tool returns, in the singular.
func nounOf(tool string) string {
	name := schema.Snake(tool)
	noun := schema.Singular(strings.TrimPrefix(name, verb().FindString(name)))
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
	c := itemCollector{}
	if data, ok := schema.Get(result, "/structuredContent"); ok {
		c.collect(nounOf(tool), data, 0)
		return c.items
	}
	content, _ := schema.Get(result, "/content")
	blocks, _ := schema.Elements(content)
	for _, b := range blocks {
		text := strings.TrimSpace(schema.TextAt(b, "/text"))
		if json.Valid([]byte(text)) {
			c.collect(nounOf(tool), json.RawMessage(text), 0)
			continue
		}
		for _, value := range identifiers().FindAllString(text, perList) {
			c.add(Item{nounOf(tool), []schema.Member{{Value: rawjson.Quote(value)}}})
		}
	}
	return c.items
}

// An itemCollector collects the items of a result.
type itemCollector struct{ items []Item }

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
	switch schema.Kind(value) {
	case '[':
		elements, _ := schema.Elements(value)
		for _, e := range elements[:min(len(elements), perList)] {
			if isShort(e) {
				c.add(Item{noun, []schema.Member{{Value: e}}})
			} else {
				c.collect(noun, e, depth+1)
			}
		}
	case '{':
		members, _ := schema.Members(value)
		i := Item{noun: noun}
		for _, m := range members {
			switch {
			case isShort(m.Value):
				i.members = append(i.members, m)
			case schema.Kind(m.Value) == '[' && depth == 0:
				inner := schema.Snake(m.Name)
				if wrapper().MatchString(inner) {
					inner = noun
				}
				c.collect(schema.Singular(inner), m.Value, depth+1)
			}
		}
		c.add(i)
		for _, m := range members {
			if schema.Kind(m.Value) == '{' || schema.Kind(m.Value) == '[' && depth > 0 {
				c.collect(schema.Singular(schema.Snake(m.Name)), m.Value, depth+1)
			}
		}
	}
}

// isShort reports whether a value is a number or a text that may name something.
func isShort(value json.RawMessage) bool {
	return schema.Kind(value) == '0' || schema.Kind(value) == '"' && len(value) > len(`""`) && len(value) <= maxItemText
}

// Lend adds cases with the values of items that another tool returned, in the arguments of the same name: an ID that one tool
// lists is often the only one that another knows.
func (g *Generator) Lend(items []Item) {
	for i := range items {
		if len(g.lent) == maxLent {
			return
		}
		changes := g.borrowed(items[i:])
		if len(changes) == 0 || !g.allows(changes) {
			continue
		}
		arguments := string(render(nil, g.bases[0], changes))
		if g.lent[arguments] {
			continue
		}
		if g.lent == nil {
			g.lent = map[string]bool{}
		}
		g.lent[arguments] = true
		g.offered = append(g.offered, changes)
		if drops := g.bases[0].optional(); len(drops) > 0 && len(g.lent) <= maxOmitting {
			g.offered = append(g.offered, append(slices.Clone(changes), drops...))
		}
	}
}

// borrowed are the changes of arguments to values of the first item; of the next one that has a value, if it would be the same as
// that of another argument, such as origin and destination.
func (g *Generator) borrowed(items []Item) (all []edit) {
	used := map[string]bool{}
	wanted := nounOf(g.tool)
	g.bases[0].walk(func(n *node) {
		if !n.isOpen() || n.rules.Has("format") {
			return
		}
		name := n.argument()
		for _, i := range items[:min(len(items), perList)] {
			value := i.valueFor(name, wanted)
			if value == nil || schema.Kind(value) != n.kind {
				return
			}
			if used[string(value)] {
				continue
			}
			used[string(value)] = true
			all = append(all, kept(replace(n, Valid, ReturnedValue, string(value)))...)
			return
		}
	})
	return all
}

// argument is the name of the argument that a node belongs to; in the singular for an element of a list.
func (n *node) argument() string {
	tokens := strings.Split(n.path, "/")
	name := schema.Snake(tokens[len(tokens)-1])
	if strings.Trim(name, "0123456789") == "" && len(tokens) > 2 {
		return schema.Singular(schema.Snake(tokens[len(tokens)-2]))
	}
	return name
}

// valueFor returns the value of an item that an argument calls for, of a tool that returns something; nil if there is none.
func (i Item) valueFor(argument, wanted string) json.RawMessage {
	for _, m := range i.members {
		name := schema.Snake(m.Name)
		if name == argument && (name != "id" && name != "name" || i.noun == wanted || i.noun == "") {
			return m.Value
		}
	}
	about := argument == i.noun || strings.HasSuffix(argument, "_"+i.noun) // order, or from_station for a station
	looksUp := i.noun == wanted && slices.Contains(keys, argument)
	for _, m := range i.members {
		name := schema.Snake(m.Name)
		switch {
		case name == "" && (about || looksUp || strings.Contains("_"+argument, "_"+i.noun+"_")),
			i.noun != "" && strings.Contains("_"+argument, "_"+i.noun+"_"+name),
			looksUp && name == i.noun+"_"+argument,
			strings.Contains(name, "_") && strings.HasSuffix(argument, "_"+name):
			return m.Value
		}
	}
	if !about && !(looksUp && argument != "name" && argument != "title") {
		return nil
	}
	for _, key := range keys {
		for _, m := range i.members {
			if schema.Snake(m.Name) == key {
				return m.Value
			}
		}
	}
	return nil
}
