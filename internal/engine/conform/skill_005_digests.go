package conform

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
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
			want := fmt.Sprintf("sha256:%x", sha256.Sum256(data))
			if digest := schema.TextAt(r.File, "/digest"); digest != want {
				p.Report(at, "digest is %s, expected %s%s", quoted(digest), want, lineEndings(data, digest))
			} else if size := At(r.File, "/size"); string(size) != strconv.Itoa(len(data)) {
				p.Report(at, "size is %s, expected %d", show(size), len(data))
			}
		}
		return nil
	},
}

// lineEndings explains a digest of the same file with other line endings.
func lineEndings(data []byte, digest string) string {
	unix := bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	if digest == fmt.Sprintf("sha256:%x", sha256.Sum256(unix)) {
		return "; the digest is that of the file with LF line endings"
	}
	if digest == fmt.Sprintf("sha256:%x", sha256.Sum256(bytes.ReplaceAll(unix, []byte("\n"), []byte("\r\n")))) {
		return "; the digest is that of the file with CRLF line endings"
	}
	return ""
}
