package catalog

import "strings"

type index struct{ tools map[*Tool]bool }

func newIndex() *index { return &index{tools: map[*Tool]bool{}} }

func (x *index) add(t *Tool)    { x.tools[t] = true }
func (x *index) remove(t *Tool) { delete(x.tools, t) }

func (x *index) search(queries []string, f Filter) []Hit {
	var out []Hit
	for t := range x.tools {
		for i, q := range queries {
			if f.match(t) && strings.Contains(strings.ToLower(t.Name+" "+t.Description), strings.ToLower(q)) {
				out = append(out, Hit{Tool: t.clone(), Score: 1, Matched: []string{q}, Queries: []int{i}})
			}
		}
	}
	return out
}
