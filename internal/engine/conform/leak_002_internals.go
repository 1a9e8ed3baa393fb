package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var leak002 = &Check{
	Rule: finding.Rule{
		ID:       "LEAK-002",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#security-considerations"),
		Doc: `errors should not contain stack traces or paths

A stack trace or a path on the disk of the server exposes its files, versions and line numbers to anyone who reads the
error. It helps an attacker and is useless to a model. Log it, and return a message that the caller can act on.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		for _, s := range p.texts(ctx) {
			found, ok := exposure.FindDetail(strings.ReplaceAll(s.text, `\n`, "\n"))
			internal := strings.HasPrefix(found.What, "a stack trace") || s.method != "tools/call" // fuzz checks calls
			if ok && s.failed && internal && !sentIn(s.observation, strings.TrimSpace(found.Text)) {
				p.once(s.observation.proof(), "%s in the error: expected a message for the caller, got %s", found.What,
					quoted(strings.TrimSpace(found.Text)))
			}
		}
		return nil
	},
}
