package lint

import (
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/skills"
)

// skillsSpec is where the requirements for skills are defined.
const skillsSpec = "https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx"

// digestForm matches the digest of a file.
var digestForm = lazyregexp.New(`^sha256:[0-9a-f]{64}$`)

// reportSkill reports faults of an entry of skills/list, or of a folder. Of a folder whose SKILL.md cannot be read, only
// the files are known.
func (p *Pass) reportSkill(find func(json.RawMessage) []skills.Problem) {
	if p.Entry.Kind != SkillEntry {
		return
	}
	for _, one := range find(p.Entry.Raw) {
		if p.Entry.Broken == "" || !strings.HasPrefix(one.Pointer, "/frontmatter") {
			p.Report(one.Pointer, "%s", one.Message)
		}
	}
}
