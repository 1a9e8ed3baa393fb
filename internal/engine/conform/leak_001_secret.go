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
		Doc: `results, errors and descriptions must not contain secrets

A key, a token, a password or the environment of the process appears in a result, a resource, a prompt, an error or a
log message, or a key in the instructions of the server or the description of an item. It reaches the model, its provider
and every log in between. Items whose name or description mentions secrets, such as credentials or tokens, are not reported.
For settings and configurations, and for items that say that their texts are invented examples, the finding is a warning.`,
	},
	Last: true,
	Run: func(ctx context.Context, p *CheckContext) error {
		for _, s := range p.texts(ctx) {
			severity := finding.Error
			if p.round.isAbout(s.name, settings()) || !s.failed && p.round.isAbout(s.name, specimens()) {
				severity = finding.Warning
			}
			secret, found := exposure.FindSecret(s.text)
			if !found { // in _meta, it may be data for a view, which the model does not get
				if secret, found = exposure.FindSecret(string(At(s.message.Result, "/_meta"))); found {
					severity = finding.Warning
				}
			}
			variables, secrets := exposure.EnvironmentNames(s.text)
			switch {
			case p.round.isAbout(s.name, private()):
			case len(variables) > 0:
				p.onceAs(severity, s.proof(), "%d environment variables in the response, among them %s: expected no secrets",
					len(variables), fewNames(variables, secrets))
			case found && !s.sent(secret.Text):
				p.onceAs(severity, s.proof(), "%s in the response: expected no secrets", secret.What)
			}
		}
		described, err := p.descriptions(ctx)
		for _, d := range described {
			if kind := exposure.FindKey(d.text); kind != "" {
				p.once(d.seen, "%s in a text that every client receives: expected no secrets", kind)
			}
		}
		return err
	},
}

// maxVariables is how many environment variables a message names.
const maxVariables = 5

// fewNames lists environment variables: those with secrets, or else the first.
func fewNames(all, secret []string) string {
	if len(secret) == 0 {
		secret = all
	}
	return strings.Join(secret[:min(len(secret), maxVariables)], ", ")
}
