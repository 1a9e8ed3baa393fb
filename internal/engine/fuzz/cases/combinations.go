package cases

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// maxCombinations is how many combinations of listed values are tried for a tool.
const maxCombinations = 24

// choicePairs are combinations of two values that the schema lists, each of another argument: a table in the server may lack just one
// of them. Single changes of the sample cover those with a value of the sample.
func (g *Generator) choicePairs() [][]edit {
	var all [][]edit
	members := g.bases[0].members
	for i := range members {
		for j := range i {
			for _, a := range members[j].value.choices() {
				for _, b := range members[i].value.choices() {
					all = append(all, []edit{a, b})
				}
			}
		}
	}
	g.random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(len(all), maxCombinations)]
}

// choices are the changes of an argument to another value that the schema lists.
func (n *node) choices() []edit {
	list, _ := n.rules.Get("enum")
	if n.kind == 't' || n.kind == 'f' {
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
