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
		Doc: `errors should not contain stack traces.

A stack trace shows files, versions and lines of the server to whoever reads the error. It helps an attacker and tells a
model nothing. Log it, and return what the caller can do.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *Pass) error {
		p.provoke(ctx)
		j := &p.round.judge
		for _, s := range append(j.seen(&j.results), j.seen(&j.refused)...) {
			text := textsOf(s.message.Result)
			if e := s.message.Error; e != nil {
				text = e.Message + "\n" + string(e.Data)
			} else if string(At(s.message.Result, "/isError")) != "true" {
				continue
			}
			if found, ok := exposure.FindDetail(strings.ReplaceAll(text, `\n`, "\n")); ok && strings.HasPrefix(found.What, "a stack trace") {
				seen := s.proof()
				p.once(seen, "%s stands in the error: expected a message for the caller, got %s", found.What, quoted(strings.TrimSpace(found.Text)))
			}
		}
		return nil
	},
}
