package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var leak001 = &Check{
	Rule: finding.Rule{
		ID:       "LEAK-001",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("server/tools#security-considerations"),
		Doc: `results and errors must not contain secrets.

A key, a token, a password or the environment of the process stands in a result, in a resource, in a prompt or in an error. It
reaches the model, its provider and every log on the way. Tools that are about secrets or settings by their own words are not
reported.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *Pass) error {
		p.provoke(ctx)
		j := &p.round.judge
		for _, s := range append(j.seen(&j.results), j.seen(&j.refused)...) {
			text := textsOf(s.message.Result)
			if e := s.message.Error; e != nil {
				text = e.Message + "\n" + string(e.Data)
			}
			seen := s.proof()
			name := ""
			if len(s.frames) > 1 {
				name = nameIn(s.frames[0].Body)
				seen.Subject = name
			}
			if seen.Subject == "" {
				seen.Subject = s.method
			}
			secret, found := exposure.FindSecret(text)
			switch {
			case p.round.meantFor(name):
			case found && !strings.Contains(string(s.frames[0].Body), secret.Text):
				p.once(seen, "%s stands in the response: expected no secrets", secret.What)
			case exposure.Environment(text):
				p.once(seen, "the environment of the process stands in the response: expected no secrets")
			}
		}
		return nil
	},
}
