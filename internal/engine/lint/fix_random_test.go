package lint

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestFixRandom holds the promises of the fix on schemas that no author would write: compositions inside compositions,
// references beside declarations, few names so that they meet. oneOf stands at the root alone: inside another oneOf a
// tighter branch can make the outer one match twice, and no mechanical fix can promise anything.
func TestFixRandom(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		g := schemaMaker{r}
		definition := fmt.Sprintf(`[{"name":"t","inputSchema":{"type":"object","$defs":{"x":%s}%s}}]`, g.object(2),
			g.parts(rootDepth))
		c, err := ReadCatalog([]byte(definition), "random")
		if err != nil {
			r.Fatal(err)
		}
		r.Logf("the schema is %s", definition)
		for _, mode := range Modes() {
			checkFixed(r, c, mode)
		}
	})
}

func checkFixed(r *rapid.T, c *Catalog, mode Mode) {
	fixed, notes, err := Fix(c, mode)
	if err != nil {
		r.Fatal(err)
	}
	after, err := ReadCatalog(fixed, "fixed")
	if err != nil {
		r.Fatal(err)
	}
	again, leftNotes, err := Fix(after, mode)
	if err != nil || string(again) != string(fixed) {
		r.Errorf("fixing twice (%s) changes %s\nto %s (%v)", mode, fixed, again, err)
	}
	if mode == Nullable {
		notes = leftNotes
	}
	testLeft(r, after, mode, notes)
	testCompiles(r, c.Tools[0], after.Tools[0], mode)
}

// rootDepth is how deep the random schemas nest.
const rootDepth = 3

// A schemaMaker makes random schemas of objects whose properties are among a, b and c.
type schemaMaker struct{ r *rapid.T }

func (g schemaMaker) yes(label string) bool { return rapid.IntRange(0, 3).Draw(g.r, label) == 0 }

func (g schemaMaker) object(depth int) string { return `{"type":"object"` + g.parts(depth) + `}` }

// parts is the rest of an object schema, from its first comma on.
func (g schemaMaker) parts(depth int) string {
	var b strings.Builder
	if depth > 0 && !g.yes("bare") {
		fmt.Fprintf(&b, `,"properties":{%s}`, g.properties(depth-1))
	}
	if g.yes("required") {
		b.WriteString(rapid.SampledFrom([]string{`,"required":["a"]`, `,"required":["b","c"]`,
			`,"required":[]`}).Draw(g.r, "names"))
	}
	if g.yes("additional") {
		b.WriteString(rapid.SampledFrom([]string{`,"additionalProperties":true`, `,"additionalProperties":false`,
			`,"additionalProperties":{"type":"string"}`}).Draw(g.r, "extra"))
	}
	if depth > 0 && g.yes("composed") {
		keywords := []string{"anyOf", "allOf"}
		if depth == rootDepth {
			keywords = append(keywords, "oneOf")
		}
		keyword := rapid.SampledFrom(keywords).Draw(g.r, "keyword")
		fmt.Fprintf(&b, `,%q:[%s,%s]`, keyword, g.branch(depth-1), g.branch(depth-1))
	}
	if depth > 0 && g.yes("conditional") {
		fmt.Fprintf(&b, `,"if":%s,"then":%s`, g.branch(depth-1), g.branch(depth-1))
	}
	return b.String()
}

func (g schemaMaker) properties(depth int) string {
	var all []string
	for _, name := range []string{"a", "b", "c"} {
		if !g.yes("absent") {
			all = append(all, fmt.Sprintf("%q:%s", name, g.value(depth)))
		}
	}
	return strings.Join(all, ",")
}

func (g schemaMaker) value(depth int) string {
	switch kind := rapid.IntRange(0, 6).Draw(g.r, "kind"); {
	case kind == 0 && depth > 0:
		return g.object(depth)
	case kind == 1 && depth > 0:
		return `{"type":"array","items":` + g.object(depth) + `}`
	case kind == 2:
		return `{"$ref":"#/$defs/x"}`
	case kind == 3 && depth > 0:
		return `{"anyOf":[` + g.object(depth) + `,{"type":"null"}]}`
	}
	return `{"type":"string"}`
}

func (g schemaMaker) branch(depth int) string {
	return rapid.SampledFrom([]string{
		g.object(depth), `{"$ref":"#/$defs/x"}`, `{"required":["a"]}`, `{"properties":{` + g.properties(depth) + `}}`,
	}).Draw(g.r, "branch")
}
