package config

import (
	"bytes"
	"sort"
)

// A mapping is the position in a TOML file of a position in the JSON made from it.
type mapping struct{ json, toml int }

// write writes a node as JSON.
func (n *node) write(out *bytes.Buffer, places *[]mapping) {
	*places = append(*places, mapping{out.Len(), n.at})
	if !n.table && !n.list {
		out.WriteString(n.json)
		return
	}
	brackets := "[]"
	if n.table {
		brackets = "{}"
	}
	out.WriteByte(brackets[0])
	for i, m := range n.members {
		if i > 0 {
			out.WriteByte(',')
		}
		if n.table {
			out.WriteString(quoteKey(m.name) + ":")
		}
		m.write(out, places)
	}
	out.WriteByte(brackets[1])
}

// original returns the offset in the TOML file.
func original(places []mapping, at int) int {
	i := sort.Search(len(places), func(i int) bool { return places[i].json > at })
	if i == 0 {
		return 0
	}
	return places[i-1].toml
}
