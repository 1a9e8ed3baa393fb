package lint

import (
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var openaiStrictLimits = &Rule{
	Rule: finding.Rule{
		ID:       "openai-strict/limits",
		Severity: finding.Error,
		Spec:     "https://platform.openai.com/docs/guides/structured-outputs",
		Doc: `schema or description exceeds the limits

Strict mode allows 5,000 properties, 10 levels, 1,000 enum values and 120,000 characters of names and values in a
schema, and 1,024 characters in a tool description. Anything above is rejected.

Split or shorten the tool.`,
	},
	Breaks: hosts.Session,
	Check: func(p *Pass) {
		var size strictSize
		for _, place := range p.Subschemas() {
			size.add(place)
		}
		for _, limit := range []struct {
			what      string
			got, most int
		}{
			{"properties", size.properties, 5000}, {"levels", size.levels, 10},
			{"enum values", size.values, 1000}, {"characters of names and values", size.characters, 120_000},
		} {
			if limit.got > limit.most {
				p.Report("/inputSchema", "the schema has %d %s, expected at most %d", limit.got, limit.what, limit.most)
			}
		}
		if n := utf8.RuneCountInString(p.Tool.Description()); n > 1024 {
			p.Report("/description", "the description has %d characters, expected at most 1024", n)
		}
	},
}

// A strictSize counts what strict mode limits.
type strictSize struct{ properties, levels, values, characters int }

func (s *strictSize) add(place *Subschema) {
	depth := 0
	for at := place; at != nil; at = at.Up {
		if at.Object() {
			depth++
		}
	}
	s.levels = max(s.levels, depth)
	if place.Property() {
		s.properties++
		s.characters += len(place.Name)
	}
	list, _ := place.Get("enum")
	values, _ := schema.Elements(list)
	s.values += len(values)
	fixed, _ := place.Get("const")
	s.characters += len(list) + len(fixed)
}
