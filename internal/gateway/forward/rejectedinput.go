package forward

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// rejectedInput is the server request that was rejected during a client request because the client does not support it.
type rejectedInput struct{ method atomic.Pointer[string] }

// reject returns the error for the server.
func (r *rejectedInput) reject(method string) error {
	r.method.Store(&method)
	return &mcp.RPCError{Code: mcp.CodeMethodNotFound, Message: "the client does not support " + method}
}

// explain adds the rejected request to an error response that does not name it: some servers return only the code, as
// if the method of the client's request were unknown.
func (f *Forwarder) explain(m *mcp.Message, r *rejectedInput) *mcp.Message {
	method := r.method.Load()
	if f.Verbatim || method == nil || m == nil || m.Error == nil || strings.Contains(m.Error.Message, *method) {
		return m
	}
	explained, failure := *m, *m.Error
	failure.Message += fmt.Sprintf(" (the server sent %s, which this client does not support)", *method)
	explained.Error = &failure
	return &explained
}
