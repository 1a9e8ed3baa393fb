package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// A node is a JSON Schema, as far as the schema of suites needs.
type node struct {
	Ref         string          `json:"$ref"`
	Type        json.RawMessage `json:"type"`
	Description string          `json:"description"`
	Default     json.RawMessage `json:"default"`
	Examples    []rawJSON       `json:"examples"`
	Enum        []string        `json:"enum"`
	Const       json.RawMessage `json:"const"`
	AnyOf       []node          `json:"anyOf"`
	Items       *node           `json:"items"`
	Values      json.RawMessage `json:"additionalProperties"`
	Pattern     string          `json:"pattern"`
	Properties  members         `json:"properties"`
	Required    []string        `json:"required"`
	Defs        members         `json:"$defs"`
}

// rawJSON keeps the spelling of a value.
type rawJSON = json.RawMessage

// members are the properties of an object in their order.
type members []member

type member struct {
	name  string
	value node
}

// UnmarshalJSON keeps the order.
func (m *members) UnmarshalJSON(raw []byte) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.Token(); err != nil {
		return err
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		one := member{name: key.(string)}
		if err := dec.Decode(&one.value); err != nil {
			return err
		}
		*m = append(*m, one)
	}
	return nil
}

func (m members) get(name string) (node, bool) {
	for _, one := range m {
		if one.name == name {
			return one.value, true
		}
	}
	return node{}, false
}

// sections are the definitions that are not tests, with their descriptions.
var sections = []struct{ def, title, text string }{
	{"server", "A server", "A word is a target: `local: demo`. Otherwise it has one of `target`, `command` and `url`."},
	{"matrix", "matrix", "A test that names no server runs once for each combination of a server and a revision, with both in its name."},
	{"runoptions", "run_options", ""},
	{"hook", "A hook", "A command of `setup`, `teardown` or `setup_per_test`: a list of words, or the fields. It is " +
		"started without a shell. A failing `setup` stops the run."},
	{"waitfor", "wait_for", ""},
	{"fixture", "A fixture", "It has exactly one of `command`, `directory` and `http`. Its name is a variable: a free " +
		"port, the path of the directory, or the URL of the HTTP server."},
	{"directory", "A directory", "The initial content of a temporary directory. A word is a directory to copy."},
	{"stubresponse", "A canned response", "One response of an HTTP fixture. Those for the same requests are " +
		"used in order, and the last one is repeated. A response has at most one of `body`, `json` and `file`."},
	{"answers", "answers", "Each list is used in order, and its last entry is repeated."},
	{"case", "A case", "An item of `cases`. These keys replace those of the test; all others are values for `${name}`. " +
		"Instead of a list, `cases` can be `{table: [[NAME, …], [VALUE, …], …]}`, `{file: FILE.csv}`, " +
		"`{file: FILE.json}`, or `{generate: [omitted, boundaries, invalid]}`."},
}

// suites returns the page about the format of suites; options are the options of the engine blocks, by name.
func suites(schema json.RawMessage, options map[string]*table) (string, error) {
	var root node
	if err := json.Unmarshal(schema, &root); err != nil {
		return "", err
	}
	p := &suitePage{defs: root.Defs, common: common(root), options: options}
	p.printf("# Suite format\n\nA suite is a YAML file: mcptest.yaml, or tests/**/*.mcptest.yaml. [Test " +
		"suites](../suites.md) describes how to use them. " +
		"`mcptest schema suite` prints this as a JSON Schema for editors; `mcptest suite validate` checks a file. A " +
		"list with one item may be written without brackets, " +
		"and a duration is a number with a unit: 500ms, 30s, 2m.\n\n")
	p.printf("## The file\n\n%s\n", p.keys(p.linked(root), nil))
	for _, s := range sections {
		def, ok := root.Defs.get(s.def)
		if !ok {
			return "", fmt.Errorf("the schema has no definition of %s", s.def)
		}
		p.printf("## %s\n\n", s.title)
		if s.text != "" {
			p.printf("%s\n\n", s.text)
		}
		p.printf("%s\n", p.keys(def, nil))
	}
	p.printf("## Keys of every test\n\n%s\n", p.keys(node{Properties: p.common}, nil))
	for _, one := range root.Properties {
		if one.value.Items != nil && p.isTest(one.value.Items.Ref) {
			p.test(one)
		}
	}
	if err := p.expectations(); err != nil {
		return "", err
	}
	return strings.TrimRight(p.String(), "\n") + "\n", nil
}

type suitePage struct {
	strings.Builder
	defs    members
	common  members // the keys of every test
	options map[string]*table
}

func (p *suitePage) printf(format string, args ...any) { fmt.Fprintf(p, format, args...) }

func definition(ref string) string { return strings.TrimPrefix(ref, "#/$defs/") }

func (p *suitePage) isTest(ref string) bool {
	def, ok := p.defs.get(definition(ref))
	_, expects := def.Properties.get("expect")
	return ok && expects
}

// linked returns the file with links to the sections of tests, which have the examples.
func (p *suitePage) linked(root node) node {
	root.Properties = slices.Clone(root.Properties)
	for i, one := range root.Properties {
		if one.value.Items != nil && p.isTest(one.value.Items.Ref) {
			root.Properties[i].value.Examples = nil
			root.Properties[i].value.Items = &node{Ref: "#" + one.name}
		}
	}
	return root
}

// common are the keys that all tests have.
func common(root node) members {
	var shared members
	first := true
	for _, def := range root.Defs {
		if _, expects := def.value.Properties.get("expect"); !expects || def.name == "case" {
			continue
		}
		if first {
			shared, first = def.value.Properties, false
			continue
		}
		shared = slices.DeleteFunc(slices.Clone(shared), func(m member) bool {
			other, ok := def.value.Properties.get(m.name)
			return !ok || !reflect.DeepEqual(m.value, other)
		})
	}
	return shared
}

// test writes the section about one kind of test.
func (p *suitePage) test(section member) {
	def, _ := p.defs.get(definition(section.value.Items.Ref))
	p.printf("## %s\n\n%s\n\n", section.name, section.value.Description)
	if keys := p.keys(def, p.common); keys != "" {
		p.printf("%s\n", keys)
	}
	if options := p.options[section.name]; options != nil {
		p.printf("`with` takes:\n\n%s\n", options)
	}
	if steps, ok := def.Properties.get("steps"); ok {
		step, _ := p.defs.get(definition(steps.Items.Ref))
		p.printf("A step has the keys of every test, and:\n\n%s\n", p.keys(step, p.common))
	}
	for _, example := range section.value.Examples {
		p.printf("```yaml\nservers: {local: demo}\n%s:\n%s```\n\n", section.name, items(example))
	}
}

// items shows a list as YAML, one item per line. JSON is YAML.
func items(list json.RawMessage) string {
	var all []rawJSON
	if json.Unmarshal(list, &all) != nil {
		return ""
	}
	var b strings.Builder
	for _, one := range all {
		fmt.Fprintf(&b, "  - %s\n", flow(one))
	}
	return b.String()
}

// keys are the keys of a mapping, except the skipped ones.
func (p *suitePage) keys(of node, left members) string {
	t := table{head: []string{"key", "type", "default", "meaning", "example"}}
	for _, one := range of.Properties {
		if _, out := left.get(one.name); out {
			continue
		}
		key := code(one.name)
		if slices.Contains(of.Required, one.name) {
			key += " (required)"
		}
		example := ""
		if len(one.value.Examples) > 0 {
			example = code(flow(one.value.Examples[0]))
		}
		t.row(key, p.kind(one.value), code(flow(one.value.Default)), one.value.Description, example)
	}
	return t.String()
}

// kind names the type of a value in words.
func (p *suitePage) kind(n node) string {
	switch {
	case n.Ref != "":
		return p.link(definition(n.Ref))
	case len(n.Enum) > 0:
		return strings.Join(n.Enum, ", ")
	case len(n.Const) > 0:
		return flow(n.Const)
	case len(n.AnyOf) > 0:
		var all []string
		for _, one := range n.AnyOf {
			all = append(all, p.kind(one))
		}
		return strings.Join(all, " or ")
	case n.Items != nil:
		return "list of " + p.kind(*n.Items)
	case n.Pattern != "":
		return "time"
	}
	switch string(bytes.Join(bytes.Fields(n.Type), nil)) {
	case `"array"`:
		return "list"
	case `"object"`:
		var values node
		if json.Unmarshal(n.Values, &values) != nil {
			return "mapping"
		}
		return "mapping to " + p.kind(values)
	case `"boolean"`:
		return "true or false"
	case `"integer"`:
		return "whole number"
	case `"number"`:
		return "number"
	case `["string","number","boolean"]`, `"string"`:
		return "text"
	case "":
		return "any value"
	}
	return strings.Join(strings.FieldsFunc(string(n.Type),
		func(r rune) bool { return strings.ContainsRune("[]\", \n", r) }), " or ")
}

// link returns a link to the section of a definition.
func (p *suitePage) link(def string) string {
	for _, s := range sections {
		if s.def == def {
			return fmt.Sprintf("[%s](#%s)", strings.ToLower(strings.TrimPrefix(s.title, "A ")),
				strings.ToLower(strings.ReplaceAll(s.title, " ", "-")))
		}
	}
	switch def {
	case "expect", "assertion", "matcher":
		return "[expectations](#expect)"
	case "step":
		return "step"
	}
	return fmt.Sprintf("[tests](%s)", def)
}

// expectations writes the section about expectations.
func (p *suitePage) expectations() error {
	assertion, ok := p.defs.get("assertion")
	matcher, known := p.defs.get("matcher")
	if !ok || !known {
		return fmt.Errorf("the schema has no definitions of assertion and matcher")
	}
	p.printf("## expect\n\nA list of assertions, or one. An assertion is a `target` with a `matcher`; a matcher may " +
		"also be written next to `target`, " +
		"and without `target` it applies to the default target of the test: a tool's text, or its structured content " +
		"if the matcher requires it.\n\n")
	p.printf("```yaml\nservers: {local: demo}\ntools:\n  - tool: add\n    args: {a: 2, b: 3}\n    expect:\n      - " +
		"{target: result.structuredContent.sum, matcher: {exact: 5}}\n" +
		"      - {contains: \"5\"}\n      - {max_duration_ms: 60000}\n```\n\n")
	p.printf("%s\n### Matchers\n\n", p.keys(assertion, matcher.Properties))
	t := table{head: []string{"matcher", "argument", "condition"}}
	for _, one := range matcher.Properties {
		t.row(code(one.name), p.kind(one.value), one.value.Description)
	}
	p.printf("%s", &t)
	return nil
}
