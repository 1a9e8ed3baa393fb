package conform

import (
	"context"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var auth030 = &Check{
	Rule: finding.Rule{
		ID:       "AUTH-030",
		Severity: finding.Error,
		Spec:     spec.Newest().URL("basic/authorization#client-id-metadata-documents"),
		Doc: `client ID metadata documents must not be fetched from local addresses

A client ID that is a URL makes the authorization server send a request. It must use https, and must not lead to loopback
or private addresses: otherwise anyone can read from the network of the authorization server (SSRF).`,
	},
	Since: spec.November2025,
	On:    OnHTTP,
	Auth:  AuthLab,
	Run: func(ctx context.Context, p *CheckContext) error {
		known, err := p.knownIssuers(ctx)
		if err != nil {
			return err
		}
		as := known[0].metadata.Body
		if string(At(as, "/client_id_metadata_document_supported")) != "true" {
			return p.Skip("the authorization server does not announce client ID metadata documents")
		}
		back, err := newCallback()
		if err != nil {
			return err
		}
		defer back.close()
		l, err := newRecorder("")
		if err != nil {
			return err
		}
		defer l.close()
		c := &ownClient{as: as, back: back, redirect: back.address, id: l.address + "/client.json"}
		l.serve(string(mcp.Object("client_id", c.id, "client_name", "mcptest", "redirect_uris",
			[]string{c.redirect}, "token_endpoint_auth_method", "none")))
		a, to, err := p.authorize(ctx, c, nil)
		if err != nil {
			return err
		}
		p.WaitIdle(ctx)
		seen := Evidence{Answer: a, Subject: "authorization endpoint"}
		if len(l.requests()) > 0 {
			p.Report(seen, "client ID with http and a loopback address: expected an error, the server requested it")
		}
		if to.Query().Get("code") != "" {
			p.Report(seen, "client ID with http and a loopback address: expected an error, got a code")
		}
		return nil
	},
}
