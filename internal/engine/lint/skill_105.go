package lint

import (
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/skills"
)

var skill105 = &Rule{
	Rule: finding.Rule{
		ID:       "SKILL-105",
		Severity: finding.Error,
		Spec:     skillsSpec,
		Doc: `digest or size that does not match the file

Hosts compare every file with its entry, and do not load a skill that differs. A frequent cause are line endings: the
digest is that of a file with CRLF, while the server sends LF, or the reverse. A file of definitions is checked if it has
the contents of resources/read too; otherwise the form of the digest is.

Compute digest (sha256: and 64 lowercase hexadecimal digits) and size from the same bytes that resources/read returns.`,
	},
	Entry: func(p *Pass) {
		if p.Entry.Kind != SkillEntry {
			return
		}
		resources, _ := schema.Get(p.Entry.Raw, "/resources")
		files, _ := schema.Elements(resources)
		for i, file := range files {
			pointer := fmt.Sprintf("/resources/%d", i)
			digest := schema.TextAt(file, "/digest")
			if digest == "" {
				continue // SKILL-102
			}
			if content := p.Content(schema.TextAt(file, "/uri")); content != nil {
				if text, problem := apps.Document(content.Raw); problem == "" {
					if wrong := skills.DigestProblem(file, []byte(text)); wrong != "" {
						p.Report(pointer, "%s", wrong)
					}
					continue
				}
			}
			if !digestForm().MatchString(digest) {
				p.Report(pointer+"/digest", "digest is %s, expected sha256: and 64 lowercase hexadecimal digits", quoted(digest))
			}
		}
	},
}
