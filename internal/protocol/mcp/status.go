package mcp

import (
	"mime"
	"net/http"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// statusHint tells what to try against a status that carries no answer.
func statusHint(target string, f wire.Frame) string {
	demand := f.Header.Get("Www-Authenticate")
	switch {
	case f.Status == http.StatusForbidden && strings.Contains(demand, "insufficient_scope"):
		return "the token lacks a scope (" + demand + "): mcptest auth " + target + " --scope … asks for it"
	case f.Status == http.StatusUnauthorized && demand != "":
		return "the server wants authorization (" + demand + "): mcptest auth " + target + " gets a token, or pass --header 'Authorization: Bearer …'"
	case f.Status == http.StatusUnauthorized:
		return "is a token needed? mcptest auth " + target + " gets one, or pass --header 'Authorization: Bearer …'"
	case f.Status == http.StatusForbidden:
		return "the server refuses us: is a token needed? --header 'Authorization: Bearer …'"
	case f.Status == http.StatusNotFound:
		return "is the path right? Many servers answer at /mcp, older ones at /sse"
	case f.Status == http.StatusMethodNotAllowed || f.Status == http.StatusNotImplemented:
		return "the endpoint takes no POST: is this the path of the MCP endpoint?"
	case f.Status/100 == 2:
		return "the server took the request but gave no JSON-RPC answer: is this an MCP endpoint?"
	case f.Status == http.StatusTooManyRequests || f.Status == http.StatusServiceUnavailable:
		if after := f.Header.Get("Retry-After"); after != "" {
			return "the server is busy and asks to be tried again after " + after
		}
		return "the server is busy: try again later"
	case f.Status >= 500:
		return "the server failed: its own log may say why"
	}
	return ""
}

// speaks tells whether an HTTP frame holds a message. What is cut off or refused by the HTTP side does not: a body such
// as {"error":"invalid_token"} is no JSON-RPC error.
func (s *Session) speaks(f wire.Frame) bool {
	switch {
	case len(f.Body) == 0 || f.Err != nil:
		return false
	case f.Event != nil:
		return true
	case f.Status/100 == 2:
		return s.target.Transport() != wire.HTTPWithSSE // there it is only a receipt
	case f.Status == http.StatusUnauthorized || s.isEar(f.Stream) || s.endsSession(f):
		return false
	}
	_, named := member(f.Body, "jsonrpc")
	return named
}

// checkType notices an answer that is not announced as what it is.
func (s *Session) checkType(f wire.Frame) {
	if f.Header == nil || f.Event != nil {
		return
	}
	announced := f.Header.Get("Content-Type")
	if announced == "application/json" {
		return
	}
	if kind, _, _ := mime.ParseMediaType(announced); kind != "application/json" {
		s.notice(f.Seq, "an answer whose Content-Type is %q; want application/json or text/event-stream", f.Header.Get("Content-Type"))
	}
}
