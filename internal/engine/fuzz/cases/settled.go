package cases

import (
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// maxSettled limits how often the first cases are made again.
const maxSettled = 2

// Saw takes note of the outcome of a case. A tool that knows some values only fails with the samples of its schema, long before
// the code that a case tests. So once the first sample was fruitless, and a case was fruitful that has values named by the
// server, or only the required arguments, all further cases keep to that, except where they change it themselves. The first cases are
// made again with it.
func (g *Generator) Saw(c Case, fruitful bool) {
	switch {
	case c.sample && fruitful:
		g.fine = true
	case c.sample:
		g.fruitless = true
	case fruitful && g.works == nil:
		g.works = c.keeps
	}
	if fruitful && repeatsValue(g.settledOn) && len(c.keeps) >= len(g.settledOn) && !repeatsValue(c.keeps) {
		g.settle(c.keeps) // the way from one place to the same place shows little
	}
	if g.fine || !g.fruitless || g.works == nil || g.timesSettled == maxSettled {
		return
	}
	g.settle(g.works)
	g.fruitless, g.works = false, nil
	g.timesSettled++
	g.before, g.made = g.made, nil
	g.plainest = g.shortest()
	g.plan, g.next = g.schedule(), 0
}

// settle keeps changes of the first sample in all samples, except for the one with the URL of a file.
func (g *Generator) settle(changes []edit) {
	g.settledOn = changes
	g.settled = map[*node][]edit{}
	for i, base := range g.bases {
		if g.provokes && i == 1 {
			continue
		}
		for _, e := range changes {
			if at := base.find(e.at.path); at != nil {
				e.at = at
				g.settled[base] = append(g.settled[base], e)
			}
		}
	}
}

// repeatsValue reports whether two of some changes have the same value.
func repeatsValue(changes []edit) bool {
	seen := map[string]bool{}
	return slices.ContainsFunc(changes, func(e edit) bool {
		again := e.drop == "" && seen[string(e.value)]
		seen[string(e.value)] = true
		return again
	})
}

// withSettled adds to changes of a sample what is settled about it. Of two changes of a value, the first one counts; an argument that
// is changed is not omitted.
func (g *Generator) withSettled(base *node, changes []edit) []edit {
	all := slices.Clip(changes)
	for _, s := range g.settled[base] {
		inside := func(e edit) bool {
			path := s.at.path + "/" + schema.Token(s.drop)
			return e.at.path == path || strings.HasPrefix(e.at.path, path+"/")
		}
		if s.drop == "" || !slices.ContainsFunc(changes, inside) {
			all = append(all, s)
		}
	}
	return all
}

// find returns the node of a path; nil if there is none.
func (n *node) find(path string) (found *node) {
	n.walk(func(other *node) {
		if other.path == path {
			found = other
		}
	})
	return found
}

// examples are the changes of each argument to the first example that its description gives. Of two revisions to compare, often only one
// has a default, which the other one gets, too; a folder to read is the current one.
func (g *Generator) examples() (all []edit) {
	g.bases[0].walk(func(n *node) {
		values := mentions(n, schema.Examples(schema.TextAt(n.rules.Raw, "/description")))
		if other := schema.DefaultOfOther(n.source.root, n.argument()); len(values) == 0 && n.required && other != "" {
			values = mentions(n, []string{other})
		}
		if len(values) == 0 && !g.care.Writes && n.isOpen() && n.required && schema.MayBeFolder(n.argument()) {
			if folder := kept(replace(n, Valid, "the current folder", `"."`)); g.allows(folder) {
				values = folder
			}
		}
		if len(values) > 0 {
			all = append(all, values[0])
		}
	})
	for i := range all {
		for _, other := range all {
			if after := schema.Later(schema.Plain(all[i].value)); after != "" && string(other.value) == string(all[i].value) &&
				schema.StartsRange(other.at.argument(), all[i].at.argument()) {
				all[i].value = rawjson.Quote(after) // the end of a range
			}
		}
	}
	return all
}

// isOpen reports whether a node is a text or a number for which the schema lists no values.
func (n *node) isOpen() bool {
	return (n.kind == '"' || n.kind == '0') && !n.rules.Has("enum") && !n.rules.Has("const")
}

// isNew reports whether a case was not made before the generator settled on values.
func (g *Generator) isNew(c Case) bool {
	if len(c.Arguments) > maxVerdict {
		return true
	}
	if g.made == nil {
		g.made = map[string]bool{}
	}
	g.made[string(c.Arguments)] = true
	return !g.before[string(c.Arguments)]
}
