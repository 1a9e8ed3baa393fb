package forward

import (
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// TraceID is the ID of the trace in the client's request, or a new one.
func TraceID(c *serve.Call) string {
	if id := traceOf(c); id != "" {
		return id
	}
	id := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(make([]byte, 0, 16), rand.Uint64()),
		rand.Uint64())
	return hex.EncodeToString(id)
}

// traceOf is the ID of the trace in the client's request; "" if there is none.
func traceOf(c *serve.Call) string {
	parent, ok := schema.Text(c.Meta["traceparent"])
	if !ok {
		return ""
	}
	if parts := strings.Split(parent, "-"); len(parts) == 4 && len(parts[1]) == 32 &&
		strings.Trim(parts[1], "0123456789abcdef") == "" {
		return parts[1]
	}
	return ""
}
