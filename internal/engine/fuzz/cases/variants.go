package cases

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Variant is a call that a person would write down as a test: one thing is special about it.
type Variant struct {
	Description string
	Arguments   json.RawMessage
	Omits       bool // an optional argument is omitted
	Allowed     bool // the schema of the tool allows it
}

// notASCII is text as people write it in most languages.
const notASCII = `"Zoë 🌍 東京"`

// largeNumber does not fit into 32 bits. It is small enough that a server which counts to it is only slow.
const largeNumber = "2147483648"

// maxVariants is the maximum number of variants of one tool.
const maxVariants = 200

// Variants makes calls of a tool from its input schema: each optional argument omitted, values at the limits, and one
// wrong value for each constraint. They are changes of the base, which the tool accepts; without one, of a sample.
func Variants(inputSchema, base json.RawMessage) ([]Variant, error) {
	if len(inputSchema) == 0 {
		inputSchema = json.RawMessage(`{"type":"object"}`)
	}
	compiled, err := schema.Compile(inputSchema, nil)
	if err != nil {
		return nil, err
	}
	if len(base) == 0 {
		if base, err = compiled.Sample(&schema.SampleOptions{AllProperties: true}); err != nil {
			return nil, err
		}
	}
	tree := buildTree(base, &source{schema.NewResolver(inputSchema), inputSchema})
	g := &Generator{compiled: compiled, verdicts: map[string]verdict{}}
	c := &variantList{g: g, tree: tree, seen: map[string]bool{string(base): true}, wrong: map[string]bool{}}
	c.omitted()
	tree.walk(func(n *node) {
		for _, e := range append(boundaries(n), words(n)...) {
			if e.isPlain() {
				c.add(e.title(), []edit{e}, false)
			}
		}
	})
	return c.all, nil
}

// words are texts that are not ASCII, and the other boolean.
func words(n *node) []edit {
	if n.kind == 't' || n.kind == 'f' {
		return first(append(replace(n, Boundary, "the opposite boolean", "true", "false"),
			replace(n, NearMiss, "type: not a boolean", `"x"`)...))
	}
	if n.kind != '"' || n.rules.Has("enum") || n.rules.Has("const") || n.rules.Has("pattern") || n.rules.Has("format") {
		return nil
	}
	return first(replace(n, Boundary, "text that is not ASCII", notASCII))
}

// title describes a change. Several numbers have the same description, and differ in their value.
func (e edit) title() string {
	if strings.HasPrefix(e.description, "a small number") || strings.HasPrefix(e.description, "a large number") {
		return e.description + ": " + string(e.value)
	}
	return e.description
}

// isPlain reports whether a change is one that a person would try. Long texts and huge numbers are left to the fuzzer.
func (e edit) isPlain() bool {
	if e.drop != "" && e.kind == Boundary {
		return false // see omitted
	}
	if e.description == "a large number"+locationOf(e.at) {
		return string(e.value) == largeNumber
	}
	return (e.first || strings.HasPrefix(e.description, "enum: ")) && len(e.value) <= longText/5
}

// A variantList collects variants: no arguments twice, and one wrong value for each constraint of each value.
type variantList struct {
	g     *Generator
	tree  *node
	seen  map[string]bool
	wrong map[string]bool // constraints, by path
	all   []Variant
}

// omitted adds a call without each optional argument, and one without all of them.
func (c *variantList) omitted() {
	var drops []edit
	for _, m := range c.tree.members {
		if !m.value.required {
			drops = append(drops, edit{at: c.tree, kind: Boundary, drop: m.name})
		}
	}
	for _, e := range drops {
		c.add("without "+e.drop, []edit{e}, true)
	}
	if len(drops) > 1 {
		c.add("only required arguments", drops, true)
	}
}

func (c *variantList) add(description string, edits []edit, omits bool) {
	args := bytes.Clone(render(nil, c.tree, edits))
	if c.seen[string(args)] || len(c.all) >= maxVariants {
		return
	}
	v := c.g.verdict(args)
	if !v.allowed {
		keyword, _, _ := strings.Cut(description, ":")
		key := edits[0].at.path + " " + keyword + " " + edits[0].drop
		if v.coerced || omits || edits[0].kind == Boundary || c.wrong[key] {
			return
		}
		c.wrong[key] = true
	}
	c.seen[string(args)] = true
	c.all = append(c.all, Variant{Description: description, Arguments: args, Omits: omits, Allowed: v.allowed})
}
