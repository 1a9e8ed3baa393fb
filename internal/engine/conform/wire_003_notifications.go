package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/typo"
)

var wire003 = &Check{
	Rule: finding.Rule{
		ID:       "WIRE-003",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("schema"),
		Doc: `notifications must match the schema of the revision

Every notification that the server sent during any check is validated against the schema of the revision. A method that the
revision does not define is a warning if it resembles one of the specification or belongs to another revision: clients ignore
it. Other methods with a namespace, such as notifications/com.example/changed, are extensions, and not reported.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		p.survey(ctx)
		p.reportViolations("notification")
		return nil
	},
}

// methodSeverity is the severity of a notification whose method the revision does not define: that of the check if only the client
// may send it, a warning if it belongs to another revision or resembles a method of the specification, and empty if it belongs to
// an extension.
func (p *CheckContext) methodSeverity(method string) finding.Severity {
	similar := func(m spec.Method) bool {
		plain := func(name string) string {
			return strings.NewReplacer("-", "", "_", "", ".", "/").Replace(strings.ToLower(strings.TrimPrefix(name, "notifications/")))
		}
		return plain(m.Name) == plain(method) || typo.Distance(m.Name, method, maxTypo) <= maxTypo
	}
	if _, sent := p.Revision.Method(spec.Client, method); sent {
		return p.Check.Severity
	}
	for _, revision := range spec.Revisions() {
		for _, m := range revision.Methods() {
			if m.Name == method || strings.HasPrefix(m.Name, "notifications/") && similar(m) {
				return finding.Warning
			}
		}
	}
	if strings.Contains(method, "/") {
		return ""
	}
	return finding.Warning
}

// maxTypo is how many letters of a method may differ from one of the specification.
const maxTypo = 2
