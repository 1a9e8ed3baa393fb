package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth033 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-033",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/security_best_practices#session-hijacking"),
		Doc: `session ID must not replace the token

A session ID is not a credential: it appears in logs and may be guessed. Each request needs its own token, and a session
of one user must not be available to another.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Auth:  AuthOwn,
	Run: func(ctx context.Context, p *CheckContext) error {
		_, token, err := p.ownToken(ctx)
		if err != nil {
			return err
		}
		legacy, _ := spec.Find(spec.NewestLegacy)
		v := &HTTPSession{p: &CheckContext{Revision: legacy}}
		start := authRequest{"initialize", v.Header("initialize", ""), v.Initialize(legacy.ID)}
		a, err := start.sendOwn(ctx, p, "", "Bearer "+token)
		if err != nil {
			return err
		}
		if v.Session = a.Header.Get("Mcp-Session-Id"); v.Session == "" {
			return p.Skip("server has no sessions")
		}
		list := authRequest{"tools/list", v.Header("tools/list", ""), v.Body("tools/list", "")}
		tries := []struct {
			what          string
			authorization []string
		}{
			{"session ID without a token", nil}, {"session ID with an invalid token", []string{"Bearer mcptest-no-such-token"}},
		}
		if as := p.round.opts.Auth.As; len(as) > 1 && as[1].Token != "" {
			tries = append(tries, struct {
				what          string
				authorization []string
			}{"session ID with the token of another user", []string{"Bearer " + as[1].Token}})
		}
		for _, try := range tries {
			a, err := list.sendOwn(ctx, p, "", try.authorization...)
			if err != nil {
				return err
			}
			if served(a) {
				p.Report(Evidence{Answer: a, Subject: "Mcp-Session-Id"}, "%s: expected a rejection, got HTTP %d", try.what,
					a.Status)
			}
		}
		return nil
	},
}
