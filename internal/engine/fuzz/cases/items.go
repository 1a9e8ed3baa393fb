package cases

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Limits of the calls with values that another tool returned.
const (
	maxLent     = 10 // of one tool
	maxOmitting = 3  // of them are made again without the optional arguments
	perArgument = 8  // items that are searched for the value of an argument
)

// Lend adds cases with the values of items that another tool returned, in the arguments of the same name: an ID that one tool
// lists is often the only one that another knows.
func (g *Generator) Lend(items []schema.Item) {
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
		for _, e := range changes {
			if out := g.behind(e.at, schema.Plain(e.value)); out != nil && !g.left {
				g.left = true
				g.offered = append(g.offered, out)
			}
		}
		if drops := g.bases[0].optional(); len(drops) > 0 && len(g.lent) <= maxOmitting {
			g.offered = append(g.offered, append(slices.Clone(changes), drops...))
		}
	}
}

// borrowed are the changes of arguments to values of the first item; of the next one that has a value, if it would be the same as
// that of another argument, such as origin and destination.
func (g *Generator) borrowed(items []schema.Item) (all []edit) {
	used := map[string]bool{}
	wanted := schema.NounOf(g.tool)
	g.bases[0].walk(func(n *node) {
		if !n.isOpen() || n.rules.Has("format") {
			return
		}
		name := n.argument()
		var like func(schema.Item) json.RawMessage
		if n.kind == '"' && n.rules.Has("pattern") {
			like = schema.Like(schema.TextAt(n.rules.Raw, "/pattern"))
		}
		for _, i := range items[:min(len(items), perArgument)] {
			value := i.ValueFor(name, wanted)
			if value == nil {
				value = i.Named(schema.TextAt(n.rules.Raw, "/description"))
			}
			if value == nil && like != nil {
				value = like(i)
			}
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
