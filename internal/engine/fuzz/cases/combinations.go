package cases

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// Limits of the combinations of listed values.
const (
	maxCombinations = 24 // that are tried
	maxListed       = 16 // values of an argument that are combined
)

// combinations are changes of two arguments to values that the schema lists: a table in the server may lack just one combination. Single
// changes of the sample cover those with a value of the sample. A tool that writes gets none: together, values may change more.
func (g *Generator) combinations() [][]edit {
	if g.care.Writes {
		return nil
	}
	var choices [][]edit
	for _, m := range g.bases[0].members {
		if all := m.value.choices(); len(all) > 0 {
			g.random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			choices = append(choices, all[:min(len(all), maxListed)])
		}
	}
	var all [][]edit
	for i := range choices {
		for j := range i {
			for _, a := range choices[j] {
				for _, b := range choices[i] {
					all = append(all, []edit{a, b})
				}
			}
		}
	}
	g.random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var some [][]edit
	for _, pair := range all[:min(len(all), 4*maxCombinations)] {
		if len(some) < maxCombinations && g.allows(pair) {
			some = append(some, pair)
		}
	}
	return some
}

// choices are the changes of an argument to another value that the schema lists.
func (n *node) choices() []edit {
	list, listed := n.rules.Get("enum")
	if !listed && (n.kind == 't' || n.kind == 'f') && !n.rules.Has("const") {
		list = json.RawMessage("[true,false]")
	}
	values, _ := schema.Elements(list)
	var all []edit
	for _, v := range values {
		if string(v) != string(n.raw) {
			all = append(all, replace(n, Valid, "a combination of listed values", string(v))...)
		}
	}
	return all
}
