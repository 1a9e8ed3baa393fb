package conform

import (
	"context"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/skills"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var skill005 = &Check{
	Rule: finding.Rule{
		ID:       "SKILL-005",
		Severity: finding.Error,
		Spec:     skillsSpec,
		Doc: `digest and size must match the file

Hosts compare every file with its entry, and do not load a skill that differs. A frequent cause are line endings: the
digest is that of a file with CRLF, while the server sends LF, or the reverse.

Compute digest (sha256: and 64 lowercase hexadecimal digits) and size from the same bytes that resources/read returns.`,
	},
	Since: spec.November2025,
	Needs: skillsCapability,
	Run: func(ctx context.Context, p *CheckContext) error {
		reads, err := p.skillReads(ctx)
		if err != nil {
			return err
		}
		for _, r := range reads {
			at := Evidence{Subject: r.URI, Exchange: r.Read, Pointer: fmt.Sprintf("/resources/%d", r.Index)}
			data, err := r.bytes()
			if err != nil {
				p.Report(at, "listed file cannot be read: %v, expected its content", err)
				continue
			}
			if wrong := skills.DigestProblem(r.File, data); wrong != "" {
				p.Report(at, "%s", wrong)
			}
		}
		return nil
	},
}
