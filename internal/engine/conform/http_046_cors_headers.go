package conform

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http046 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-046",
		Severity: finding.Warning,
		Spec:     "https://fetch.spec.whatwg.org/#http-cors-protocol",
		Doc: `CORS responses should allow and expose the headers of the protocol

The server allows pages of other origins, so clients in a browser are meant to use it. But the browser does not send a
header that Access-Control-Allow-Headers omits, and hides a header that Access-Control-Expose-Headers omits. The client
then fails after initialize, because it has no session ID or must not send it.

Allow Content-Type, Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method and Mcp-Name, and expose Mcp-Session-Id.`,
	},
	Since: spec.March2025,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		origin := http.Header{"Origin": {p.pageOrigin()}}
		sent := v.protocolHeaders()
		preflight, err := p.Fetch(ctx, Fetch{Method: http.MethodOptions, Header: http.Header{"Origin": origin["Origin"],
			"Access-Control-Request-Method":  {http.MethodPost},
			"Access-Control-Request-Headers": {strings.Join(sent, ",")}}})
		if err != nil {
			return err
		}
		if preflight.Header.Get("Access-Control-Allow-Origin") == "" {
			return nil // only clients outside of browsers use the server
		}
		p.reportOmitted(preflight, "Access-Control-Allow-Headers", sent)
		if v.Session == "" {
			return nil
		}
		greeted, err := v.Post(ctx, origin, v.Initialize(p.Revision.ID))
		if err == nil && greeted.Header.Get("Access-Control-Allow-Origin") != "" {
			p.reportOmitted(greeted, "Access-Control-Expose-Headers", []string{"mcp-session-id"})
		}
		return err
	},
}

// pageOrigin returns the origin of a page that the server may allow.
func (p *CheckContext) pageOrigin() string {
	if near(p.Target) {
		return "http://localhost:6274"
	}
	return "https://" + foreignHost
}

// protocolHeaders lists the headers that a client in a browser must be allowed to send with a request, in lower case.
func (v *HTTPSession) protocolHeaders() []string {
	var names []string
	for name := range v.Header("tools/call", "name") {
		if name != "Accept" {
			names = append(names, strings.ToLower(name))
		}
	}
	slices.Sort(names)
	return names
}

// reportOmitted reports the names that a header of a response, a list of names, omits.
func (p *CheckContext) reportOmitted(a *HTTPExchange, header string, names []string) {
	listed := strings.Join(a.Header.Values(header), ",")
	known := strings.FieldsFunc(strings.ToLower(listed), func(r rune) bool { return r == ',' || r == ' ' })
	omitted := slices.DeleteFunc(slices.Clone(names),
		func(name string) bool { return slices.Contains(known, strings.ToLower(name)) })
	if len(omitted) > 0 && !slices.Contains(known, "*") {
		p.Report(Evidence{Answer: a, Subject: header}, "%s: expected %s, got %q", header, strings.Join(omitted, ", "),
			clip.Text(listed, 80))
	}
}
