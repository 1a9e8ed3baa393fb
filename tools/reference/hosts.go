package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

// hostsPage returns the page about hosts. What happens to tools is not written down: each profile converts samples.
func hostsPage() string {
	tools := table{head: append([]string{"host", "version", "run on"}, sampleHeads()...)}
	schemas := table{head: []string{"host", "keywords of the sample schema that the model does not get", "added"}}
	session := table{head: []string{"host", "requests", "pages of `tools/list`", "reads the list again", "tool search",
		"instructions", "other lines on stdout", "waits for the server", "waits for a result"}}
	results := table{head: []string{"host", "text A, B", "image", "audio", "only structuredContent",
		"text and structuredContent", "resource_link", "embedded text", "isError"}}
	long := table{head: []string{"host", "longest seen whole", "shortest seen cut", "what the model gets"}}
	for _, p := range hosts.Profiles() {
		o, known := hosts.ObservedOf(p.ID)
		if !known {
			continue
		}
		row := []any{p.Name, p.Version, p.Checked}
		for _, s := range hostSamples {
			row = append(row, outcome(hosts.View(p, "t", hosts.Read(json.RawMessage(s.tool)))))
		}
		tools.row(row...)
		lost, added := keywords(hosts.View(p, "t", hosts.Read(json.RawMessage(keywordSample))))
		schemas.row(p.Name, lost, added)
		session.row(p.Name, strings.Join(o.Requests, ", then "), pagesRead(o.Pages), yesNo(o.ListChanged),
			orDash(o.Search), instructions(o.Instructions), o.Noise, o.Start, o.Call)
		r := o.Result
		results.row(p.Name, r.Texts, r.Image, r.Audio, r.Structured, r.Both, bracketed(r.Link), r.Embedded, r.Error)
		long.row(p.Name, characters(r.Long.Whole), characters(r.Long.Cut), r.Long.How)
	}
	return "# What hosts do to tools and results\n\n" +
		"Each host was run offline with a scripted model, in the version and on the date of the first table. Other " +
		"versions may behave\ndifferently; [`mcptest hosts --run`](../hosts.md) shows what an installed one does.\n\n" +
		"## Tools\n\nThe server is named `t`. A cell is the name that the model gets, or why it does not get the tool.\n" +
		"The scripted model accepts every request. The API of a real model may reject one that a host passes on: see the " +
		"rules\n[anthropic/property-key](../rules/anthropic-property-key.md) and " +
		"[gemini/cyclic-ref](../rules/gemini-cyclic-ref.md).\n\n" +
		tools.String() +
		"\nCodex loses a server with more than 2,048 tools.\n\n## Schemas\n\nThe sample has one keyword of each kind: " +
		"`" + strings.Join(sampleKeywords(), "`, `") + "`.\n\n" + schemas.String() +
		"\nCopilot CLI writes what it removes into the description. Codex turns `const` into an `enum` with one value. In " +
		"Continue, references\ninto `$defs` no longer resolve.\n" +
		"\n## Session\n\n" + session.String() + "\n## Tool results\n\n" + results.String() +
		"\n## Long results\n\nText of one block, in characters. Lengths between the two columns were not tried.\n\n" +
		long.String()
}

// hostSamples are tools that hosts treat differently.
var hostSamples = []struct{ head, tool string }{
	{"`files.read`", `{"name":"files.read","description":"D","inputSchema":{"type":"object","properties":{}}}`},
	{"name of 70 characters", `{"name":"` + strings.Repeat("a", 70) +
		`","description":"D","inputSchema":{"type":"object","properties":{}}}`},
	{"no description", `{"name":"get","inputSchema":{"type":"object","properties":{}}}`},
	{"`oneOf` at the root", `{"name":"get","description":"D","inputSchema":{"type":"object","properties":{},` +
		`"oneOf":[{"required":["a"]}]}}`},
	{"tuple `items`", `{"name":"get","description":"D","inputSchema":{"type":"object","properties":{"a":` +
		`{"type":"array","items":[{"type":"string"}]}}}}`},
	{"annotation `null`", `{"name":"get","description":"D","inputSchema":{"type":"object","properties":{}},` +
		`"annotations":{"readOnlyHint":null}}`},
	{"outputSchema without `type`", `{"name":"get","description":"D","inputSchema":{"type":"object",` +
		`"properties":{}},"outputSchema":{}}`},
}

func sampleHeads() []string {
	var heads []string
	for _, s := range hostSamples {
		heads = append(heads, s.head)
	}
	return heads
}

// outcome describes what a model gets of a sample.
func outcome(t hosts.Tool) string {
	switch {
	case t.LosesServer:
		return "**server lost**"
	case t.Lost != "":
		return "**dropped**"
	case strings.Contains(t.Name, strings.Repeat("a", 70)):
		return "kept"
	case len(t.Name) > 40:
		return fmt.Sprintf("cut to %d characters", len(t.Name))
	}
	return "`" + t.Name + "`"
}

// keywordSample has every keyword of sampleKeywords once.
const keywordSample = `{"name":"get","description":"D","inputSchema":{"type":"object","$schema":"https://json-schema.org/` +
	`draft/2020-12/schema","properties":{"s":{"type":"string","title":"T","minLength":1,"maxLength":9,"pattern":"^a",` +
	`"format":"uri","default":"a","examples":["a"]},"n":{"type":"number","minimum":1,"maximum":9},"l":{"type":"array",` +
	`"items":{"$ref":"#/$defs/D"},"minItems":1,"maxItems":3},"c":{"const":"x"},"e":{"type":"string","enum":["a"]}},` +
	`"required":["s"],"$defs":{"D":{"type":"string"}}}}`

func sampleKeywords() []string {
	return []string{"$schema", "title", "minLength", "maxLength", "pattern", "format", "default", "examples", "minimum",
		"maximum", "minItems", "maxItems", "const", "enum", "required", "$defs", "$ref"}
}

// keywords returns which keywords of the sample a host removes, and what it adds.
func keywords(t hosts.Tool) (lost, added string) {
	var gone, new []string
	for _, k := range sampleKeywords() {
		if !strings.Contains(string(t.Schema), `"`+k+`":`) {
			gone = append(gone, "`"+k+"`")
		}
	}
	for _, k := range []string{"wait_for_previous", "additionalProperties", "description"} {
		if strings.Contains(string(t.Schema), `"`+k+`":`) {
			new = append(new, "`"+k+"`")
		}
	}
	return orDash(strings.Join(gone, ", ")), orDash(strings.Join(new, ", "))
}

func instructions(i hosts.Instructions) string {
	switch {
	case !i.Shown:
		return "not shown"
	case i.Max > 0:
		return fmt.Sprintf("first %d characters, in the %s", i.Max, i.Where)
	}
	return "whole, in the " + i.Where
}

func pagesRead(n int) string {
	if n == 0 {
		return "all"
	}
	return fmt.Sprintf("**only %d**", n)
}

func characters(n int) string {
	if n == 0 {
		return "–"
	}
	return fmt.Sprint(n)
}

func orDash(text string) string {
	if text == "" {
		return "–"
	}
	return text
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// bracketed keeps brackets from being read as a link.
func bracketed(text string) string {
	if strings.HasPrefix(text, "[") {
		return "`" + text + "`"
	}
	return text
}
