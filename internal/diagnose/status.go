package diagnose

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/auth"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redirect"
)

// rejected returns why an HTTP server does not open a session; nil if the status does not show it.
func (w *walk) rejected(ctx context.Context, err error) *problem {
	var redirected *redirect.Error
	if errors.As(err, &redirected) {
		return because("write the URL of the MCP endpoint into the entry, or sign in",
			"the server redirects to another address instead of responding").with(redirected.Error())
	}
	var status *wire.StatusError
	if !errors.As(err, &status) {
		return nil
	}
	evidence := status.Error()
	body := string(status.Body)
	switch {
	case status.Status == http.StatusUnauthorized:
		return w.unauthorized(ctx, status).with(evidence)
	case status.Status == http.StatusForbidden:
		return because("use a token with the required scopes, or ask the operator for access",
			"the server rejects the request with HTTP 403: access is forbidden").with(evidence)
	case status.Status == http.StatusNotFound:
		return because("correct the path of the URL: most servers use /mcp",
			"there is no MCP endpoint at this URL: HTTP 404").with(evidence)
	case status.Status == http.StatusMethodNotAllowed:
		return because(`write "type": "sse" into the entry, or the URL of the Streamable HTTP endpoint`,
			"the endpoint does not accept POST: HTTP 405").with(evidence)
	case status.Status == http.StatusTooManyRequests:
		return because("wait, and try again", "the server rejects the request with HTTP 429: too many requests").
			with(evidence)
	case status.Status >= 500:
		return because("read the log of the server", "the server fails with HTTP %d %s", status.Status,
			http.StatusText(status.Status)).with(evidence)
	case strings.Contains(body, "HTTP request to an HTTPS server"), strings.Contains(body, "plain HTTP request was sent"):
		return because("write https:// instead of http://", "the server requires TLS, but the URL begins with http://").
			with(evidence)
	}
	return because("check the URL: it must be the MCP endpoint", "the server rejects the request with HTTP %d %s",
		status.Status, http.StatusText(status.Status)).with(evidence)
}

// unauthorized returns why a server rejects a request with 401: the token of the entry, or the steps to get one.
func (w *walk) unauthorized(ctx context.Context, status *wire.StatusError) *problem {
	if token, found := strings.CutPrefix(w.target.Header.Get("Authorization"), "Bearer "); found {
		return w.badToken(token, status)
	}
	demand := auth.DemandOf(status.Status, status.Header)
	flow, err := auth.New(auth.Options{Server: w.target.URL, Secrets: w.in.Secrets})
	if err != nil {
		return because("add a token to the entry, in the header Authorization",
			"the server requires a token, and the entry has none: HTTP 401")
	}
	defer flow.Close()
	err = flow.Discover(ctx, wire.Frame{Status: status.Status, Header: status.Header, Body: status.Body})
	for _, s := range flow.Steps() {
		if s.Name == auth.Challenge {
			continue
		}
		detail := s.Result
		if s.Problem != "" {
			detail = s.Problem
		}
		w.out.Steps = append(w.out.Steps, Step{Name: "OAuth: " + s.Title, OK: s.State != auth.Failed,
			Detail: w.clean(detail)})
	}
	if err != nil {
		return because("run: mcptest auth "+w.in.Name+" (shows each step)",
			"the server requires a token, and its OAuth metadata is invalid: %s", authReason(err))
	}
	fix := "sign in to the server in the client; mcptest auth " + w.in.Name + " shows each step"
	if demand.Metadata == "" && len(flow.Steps()) == 0 {
		fix = "add a token to the entry, in the header Authorization"
	}
	return because(fix, "the server requires a token, and the entry has none: HTTP 401")
}

// authReason returns the problem of a step.
func authReason(err error) string {
	var failed *auth.Error
	if errors.As(err, &failed) {
		return failed.Problem
	}
	return err.Error()
}

// claims are the parts of a token that show why it is rejected.
type claims struct {
	Expires  float64         `json:"exp"`
	Audience json.RawMessage `json:"aud"`
	Issuer   string          `json:"iss"`
}

// badToken returns why the token of the entry is rejected.
func (w *walk) badToken(token string, status *wire.StatusError) *problem {
	fix := "write a new token for this server into the entry"
	challenge := status.Header.Get("Www-Authenticate")
	c, readable := readClaims(token)
	switch {
	case readable && c.Expires > 0 && time.Unix(int64(c.Expires), 0).Before(time.Now()):
		return because(fix, "the token in the entry has expired on %s", time.Unix(int64(c.Expires), 0).UTC().
			Format("2006-01-02 15:04 UTC"))
	case readable && c.otherAudience(w.target.URL), strings.Contains(strings.ToLower(challenge), "audience"):
		p := because(fix, "the token in the entry is for another audience than this server")
		return p.with(fmt.Sprintf("audience of the token: %s", c.Audience), "WWW-Authenticate: "+challenge)
	}
	return because(fix, "the server does not accept the token in the entry: HTTP 401").
		with("WWW-Authenticate: " + challenge)
}

// readClaims reads the claims of a JWT without verifying it.
func readClaims(token string) (c claims, ok bool) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return c, false
	}
	text, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(parts[1], "="))
	return c, err == nil && json.Unmarshal(text, &c) == nil
}

// otherAudience reports whether the token is for other servers.
func (c *claims) otherAudience(server string) bool {
	var all []string
	var one string
	if json.Unmarshal(c.Audience, &one) == nil {
		all = []string{one}
	} else if json.Unmarshal(c.Audience, &all) != nil {
		return false
	}
	u, err := url.Parse(server)
	return err == nil && len(all) > 0 && !slices.ContainsFunc(all, func(aud string) bool {
		return strings.Contains(aud, u.Host)
	})
}
