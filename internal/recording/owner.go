package recording

import (
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// owner returns the exchange that a message of the server belongs to: by its progress token, by its HTTP exchange, or
// because it is the only one in flight; nil if none.
func (b *builder) owner(m *mcp.Message) *Exchange {
	if m.Method == "notifications/progress" {
		token := string(serve.Members(m.Params)["progressToken"])
		for _, r := range b.open {
			if r.token == token && token != "" && r.conn == m.Frame.Conn {
				return r.exchange
			}
		}
		return nil
	}
	var inFlight []*Exchange
	for _, r := range b.open {
		switch {
		case r.exchange.Method == "subscriptions/listen" || r.conn != m.Frame.Conn:
		case strings.HasPrefix(m.Frame.Stream, "post-") && r.stream == m.Frame.Stream:
			return r.exchange
		default:
			inFlight = append(inFlight, r.exchange)
		}
	}
	if strings.HasPrefix(m.Frame.Stream, "post-") || strings.HasPrefix(m.Frame.Stream, "get-") {
		return nil
	}
	if m.IsRequest() { // the oldest call that does not wait for the client
		for _, x := range inFlight {
			if mayAsk(x.Method) && !x.asking() {
				return x
			}
		}
		return nil
	}
	if len(inFlight) == 1 {
		return inFlight[0]
	}
	return nil
}

// mayAsk reports whether a server may request input from the client while it handles a method.
func mayAsk(method string) bool {
	return method == "tools/call" || method == "prompts/get" || method == "resources/read"
}

// asking reports whether an exchange waits for a response of the client.
func (x *Exchange) asking() bool {
	for _, s := range x.Steps {
		if s.Request && s.Reply == nil && s.Refused == nil {
			return true
		}
	}
	return false
}
