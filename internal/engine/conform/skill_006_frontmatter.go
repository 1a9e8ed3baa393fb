package conform

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var skill006 = &Check{
	Rule: finding.Rule{
		ID:       "SKILL-006",
		Severity: finding.Error,
		Spec:     skillsSpec,
		Doc: `frontmatter of the entry must be that of SKILL.md

The user approves what the entry says, the model reads SKILL.md: hosts compare both field by field, and do not load the
skill if they differ.

Parse the YAML of SKILL.md for the entry, and keep every field.`,
	},
	Since: spec.November2025,
	Needs: skillsCapability,
	Run: func(ctx context.Context, p *CheckContext) error {
		reads, err := p.skillReads(ctx)
		if err != nil {
			return err
		}
		for _, r := range reads {
			data, err := r.bytes()
			if err != nil || r.URI != r.Skill.Name {
				continue
			}
			at := Evidence{Subject: r.URI, Exchange: r.Read, Pointer: "/frontmatter"}
			written, err := frontmatterOf(string(data))
			if err != nil {
				p.Report(at, "%v, expected YAML with name and description", err)
				continue
			}
			var listed map[string]any
			_ = json.Unmarshal(At(r.Skill.Raw, "/frontmatter"), &listed)
			for _, name := range slices.Sorted(maps.Keys(written)) {
				if value, has := listed[name]; !has {
					p.Report(at, "frontmatter lacks the field %s of SKILL.md, expected all fields", quoted(name))
				} else if !sameValue(written[name], value) {
					p.Report(at, "frontmatter has another value of %s than SKILL.md, expected the same", quoted(name))
				}
			}
			for _, name := range slices.Sorted(maps.Keys(listed)) {
				if _, has := written[name]; !has {
					p.Report(at, "frontmatter has the field %s, which SKILL.md does not have, expected the same fields",
						quoted(name))
				}
			}
		}
		return nil
	},
}
