package conform

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// quoted shows a name that a server chose.
func quoted(name string) string { return strconv.Quote(clip(name, 80)) }

// said is the message of a refusal in one line.
func said(refusal *mcp.RPCError) string {
	return clip(strings.Join(strings.Fields(refusal.Message), " "), 80)
}

// codeNames lists error codes for a message.
func codeNames(codes []int64) string {
	var names []string
	for _, code := range codes {
		names = append(names, fmt.Sprint(code))
	}
	return strings.Join(names, " or ")
}
