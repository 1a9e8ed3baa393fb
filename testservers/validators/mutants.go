// Package validators compares the verdicts of `mcptest ready` with those of the validators of the places: the endpoint of the
// MCP registry (folder registry, a module of its own), and `mcpb validate` (mcpb.mjs, with the package from testservers/npm).
package validators

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A mutant is a document with one change.
type mutant struct {
	name string // the pointer and what happened there
	doc  []byte // on one line
}

// replacements are what is written in place of a value: other types, limits, and texts that one of the rules is about.
var replacements = []string{`null`, `0`, `true`, `[]`, `{}`, `[null]`, `""`, `" "`, `"x"`, `"` + strings.Repeat("x", 101) + `"`,
	`"` + strings.Repeat("y", 300) + `"`, `"latest"`, `"^1.2.0"`, `"1.x"`, `"1.2 - 1.4"`, `"v1"`, `"0.1"`, `"0.2"`, `"0.3"`, `"1.0"`,
	`"http://example.com/mcp"`, `"https://localhost/mcp"`, `"https://example.com/{place}"`, `"https://exa mple.com"`, `"//example.com"`,
	`"https://gitlab.com/a/b"`, `"../x"`, `"/x"`, `"a/b"`, `"a/b/c"`, `"--units x"`, `"named"`, `"positional"`, `"stdio"`, `"uv"`,
	`"sse"`, `"streamable-http"`, `"linux"`, `"dark"`, `"${__dirname}/icon.png"`, `"https://example.com/icon.png"`, `"de"`}

// mutants returns every change of one value of a document, without duplicates.
func mutants(base []byte) []mutant {
	var all []mutant
	seen := map[string]bool{string(oneLine(base)): true}
	add := func(name string, edit finding.Edit) {
		changed, err := schema.Apply(base, []finding.Edit{edit})
		if err != nil {
			panic(err)
		}
		if doc := oneLine(changed); !seen[string(doc)] {
			seen[string(doc)] = true
			all = append(all, mutant{name, doc})
		}
	}
	for _, at := range pointers(base, "") {
		if at != "" {
			add(at+" removed", finding.Edit{Pointer: at})
		}
		value, _ := schema.Get(base, at)
		switch schema.Kind(value) {
		case '{':
			add(at+" with another member", finding.Edit{Pointer: at + "/surprise", Value: json.RawMessage(`"x"`)})
		case '[':
			first, _ := schema.Get(base, at+"/0")
			add(at+" with its first element again", finding.Edit{Pointer: at + "/-", Value: first})
		}
		for _, value := range replacements {
			add(at+" = "+brief(value), finding.Edit{Pointer: at, Value: json.RawMessage(value)})
		}
	}
	return all
}

// sample returns about n of the mutants, the same ones each time.
func sample(all []mutant, n int) []mutant {
	var some []mutant
	for _, m := range all {
		h := fnv.New32a()
		h.Write([]byte(m.name))
		if int(h.Sum32()%uint32(len(all))) < n {
			some = append(some, m)
		}
	}
	return some
}

// pointers returns the pointers of a value and of all values in it.
func pointers(doc json.RawMessage, at string) []string {
	all := []string{at}
	value, _ := schema.Get(doc, at)
	members, _ := schema.Members(value)
	for _, m := range members {
		all = append(all, pointers(doc, at+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(m.Name))...)
	}
	elements, _ := schema.Elements(value)
	for i := range elements {
		all = append(all, pointers(doc, fmt.Sprintf("%s/%d", at, i))...)
	}
	return all
}

func oneLine(doc []byte) []byte {
	var value any
	if err := json.Unmarshal(doc, &value); err != nil {
		panic(err)
	}
	line, _ := json.Marshal(value) // members in the order of their names: two spellings of a document are equal
	return line
}

func brief(value string) string {
	if len(value) > 60 {
		return fmt.Sprintf("%.8s… (%d)", value, len(value))
	}
	return value
}
