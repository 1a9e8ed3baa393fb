package conform

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// quoted formats a name that the server chose.
func quoted(name string) string { return strconv.Quote(clip.Text(name, 80)) }

// errorLine returns the message of an error in one line.
func errorLine(refusal *mcp.RPCError) string {
	return clip.Text(strings.Join(strings.Fields(refusal.Message), " "), 80)
}

// worded returns the message of a finding. An error from the server is included as one line, shortened if it is long.
func worded(format string, args []any) string {
	args = slices.Clone(args)
	for i, arg := range args {
		if refusal, ok := arg.(*mcp.RPCError); ok {
			args[i] = clip.Text(strings.Join(strings.Fields(refusal.Error()), " "), longRefusal)
		}
	}
	return fmt.Sprintf(format, args...)
}

// longRefusal is how much of an error a message includes.
const longRefusal = 300

// codeNames lists error codes for a message.
func codeNames(codes []int64) string {
	var names []string
	for _, code := range codes {
		names = append(names, fmt.Sprint(code))
	}
	return strings.Join(names, " or ")
}
