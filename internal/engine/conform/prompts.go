package conform

import (
	"github.com/mcptest-dev/mcptest/internal/exposure"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// requiredArgument returns the first required argument of a prompt; empty if there is none.
func requiredArgument(prompt mcp.Item) string {
	arguments, _ := schema.Elements(At(prompt.Raw, "/arguments"))
	for _, a := range arguments {
		if string(At(a, "/required")) == "true" {
			return schema.TextAt(a, "/name")
		}
	}
	return ""
}

// failsInside reports whether an error shows a server bug: its message is an exception. The code for an internal error
// is not sufficient, because many servers use it to reject values.
func failsInside(refusal *mcp.RPCError) bool {
	found, raised := exposure.FindException(refusal.Message)
	return raised && found.Sure
}
