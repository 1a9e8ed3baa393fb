package mcp

import (
	"mime"
	"net/http"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// bearerHeader is the other way to pass a token.
const bearerHeader = ", or pass {--header} 'Authorization: Bearer …'"

// statusHint returns what to do about a status without a response.
func statusHint(to wire.Target, f wire.Frame) hint.Text {
	target := to.String()
	demand := f.Header.Get("Www-Authenticate")
	switch {
	case f.Status == http.StatusForbidden && strings.Contains(demand, "insufficient_scope"):
		return hint.Text("the token lacks a scope ("+demand+"); ") + hint.MoreScopes(target)
	case f.Status == http.StatusUnauthorized && to.Header.Get("Authorization") != "":
		return "the server rejected the token: check that it is valid and meant for this server, or " +
			hint.SignIn(target)
	case f.Status == http.StatusUnauthorized && demand != "":
		return hint.Text("the server requires authorization ("+demand+"); ") + hint.SignIn(target) + bearerHeader
	case f.Status == http.StatusUnauthorized:
		return "if the server requires a token, " + hint.SignIn(target) + bearerHeader
	case f.Status == http.StatusForbidden:
		return "access denied; if the server requires a token, use {--header} 'Authorization: Bearer …'"
	case f.Status == http.StatusNotFound:
		return "check the path: most servers use /mcp, older ones /sse"
	case f.Status == http.StatusMethodNotAllowed || f.Status == http.StatusNotImplemented:
		return "the endpoint does not accept POST; check the path of the MCP endpoint"
	case f.Status == http.StatusBadRequest && strings.Contains(string(f.Body), "HTTP request to an HTTPS server"):
		return "the server uses TLS on that port: try https:// instead of http://"
	case f.Status/100 == 2:
		return "the server accepted the request but returned no JSON-RPC response: check that this is an MCP endpoint"
	case f.Status == http.StatusTooManyRequests || f.Status == http.StatusServiceUnavailable:
		if after := f.Header.Get("Retry-After"); after != "" {
			return hint.Text("the server is busy: try again after " + after)
		}
		return "the server is busy: try again later"
	case f.Status >= 500:
		return "the server failed: check its log"
	}
	return ""
}

// speaks reports whether an HTTP frame contains a message. A truncated body or an HTTP error does not: a body
// such as {"error":"invalid_token"} is not a JSON-RPC error.
func (s *Session) speaks(f wire.Frame) bool {
	switch {
	case len(f.Body) == 0 || f.Err != nil:
		return false
	case f.Event != nil:
		return true
	case f.Status/100 == 2:
		return s.target.Transport() != wire.HTTPWithSSE // there it is only an acknowledgment
	case f.Status == http.StatusUnauthorized || s.isGETStream(f.Stream) || s.endsSession(f):
		return false
	}
	_, named := member(f.Body, "jsonrpc")
	return named
}

// checkType reports a response with a wrong Content-Type.
func (s *Session) checkType(f wire.Frame) {
	if f.Header == nil || f.Event != nil {
		return
	}
	announced := f.Header.Get("Content-Type")
	if announced == "application/json" {
		return
	}
	if kind, _, _ := mime.ParseMediaType(announced); kind != "application/json" {
		s.notice(f.Seq, "response with Content-Type %q, expected application/json or text/event-stream",
			f.Header.Get("Content-Type"))
	}
}
