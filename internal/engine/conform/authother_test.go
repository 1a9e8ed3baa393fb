package conform

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/testservers/oauth"
)

// freeAddress returns a local address that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// A server may use another service with a token of its own; without any request to the service nothing is known.
func TestAuthUpstream(t *testing.T) {
	t.Parallel()
	for fault, want := range map[oauth.Fault]finding.Status{oauth.OwnUpstream: finding.Passed, "": finding.Skipped} {
		s := oauth.Start(t)
		address := freeAddress(t)
		s.Upstream = "http://" + address
		out := authRun(t, s, fault, AuthOptions{As: []Identity{{SignIn: true}}, Lab: true, Upstream: address}, "AUTH-035")
		if r := out.Report.Results[0]; r.Status() != want {
			t.Errorf("%q: %s, expected %s: %s%s%s", fault, r.Status(), want, r.Skipped, r.Broken, shown(r.Findings))
		}
	}
}

// The service behind a server is an MCP server for those that expect one.
func TestUpstreamReplies(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`: `"protocolVersion":"2025-11-25"`,
		`{"id":"a","method":"tools/list"}`:                                         `"name":"echo"`,
		`{"id":1,"method":"tools/call"}`:                                           `"content":[`,
		`{"id":1,"method":"server/discover"}`:                                      `"code":-32601`,
		`{"method":"notifications/initialized"}`:                                   `{}`,
		`no JSON`:                                                                  `{}`,
	} {
		if got := string(upstreamReply([]byte(body))); !strings.Contains(got, want) {
			t.Errorf("%s: %s, expected %s", body, got, want)
		}
	}
}

// Endpoints that exist only for POST count: servers return 404 to GET there.
func TestAuthDefaultEndpoints(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		absent   string
		severity finding.Severity // of what is found; empty for nothing
	}{{"", ""}, {"/register", finding.Warning}, {"/token", finding.Error}, {"/authorize", finding.Error}} {
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch path := r.URL.Path; {
			case path == "/mcp":
				w.Header().Set("WWW-Authenticate", "Bearer")
				w.WriteHeader(http.StatusUnauthorized)
			case path == test.absent:
				http.NotFound(w, r)
			case path == "/authorize" && r.Method == http.MethodGet:
				http.Error(w, "client_id is missing", http.StatusBadRequest)
			case (path == "/token" || path == "/register") && r.Method == http.MethodOptions:
				w.Header().Set("Allow", "POST")
			default:
				http.NotFound(w, r)
			}
		}))
		o := AuthOptions{}
		o.sleep, o.now = newAuthClock().functions()
		out, err := Run(context.Background(), wire.Target{URL: web.URL + "/mcp"}, &Options{Auth: &o,
			Protocol: spec.March2025, Rules: []string{"AUTH-038"}})
		web.Close()
		if err != nil {
			t.Fatal(err)
		}
		var severity finding.Severity
		for _, f := range out.Report.Findings() {
			severity = f.Severity
		}
		if r := out.Report.Results[0]; severity != test.severity || r.Broken+r.Skipped != "" {
			t.Errorf("without %q: %q, expected %q: %s%s%s", test.absent, severity, test.severity, r.Broken, r.Skipped,
				shown(r.Findings))
		}
	}
}
