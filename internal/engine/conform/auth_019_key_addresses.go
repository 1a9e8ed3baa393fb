package conform

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth019 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-019",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization#token-handling"),
		Doc: `server must not fetch keys from a URL in a token

The headers jku and x5u, and a kid that is a URL, come from anyone who makes a token. A server that fetches them lets anyone
choose the key, and sends requests into its own network for strangers (SSRF). Use the keys of the issuer only.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Auth:  AuthLab,
	Run: func(ctx context.Context, p *CheckContext) error {
		t, err := p.Protection(ctx)
		if err != nil {
			return err
		}
		keys, _ := json.Marshal(map[string]any{"keys": []any{forgeJWK()}})
		l, err := newRecorder(string(keys))
		if err != nil {
			return err
		}
		defer l.close()
		f := t.forge(ctx, p).with("kid", "mcptest")
		for _, name := range []string{"jku", "x5u", "kid"} {
			if err := p.rejectToken(ctx, t, f.with(name, l.address+"/"+name).signed(),
				"JWT with the URL of its key as "+name); err != nil {
				return err
			}
		}
		p.WaitIdle(ctx)
		for _, path := range l.requests() {
			p.Report(Evidence{Subject: "authorization"}, "server requested the URL in the header %s of a token",
				strings.TrimPrefix(path, "/"))
		}
		return nil
	},
}
