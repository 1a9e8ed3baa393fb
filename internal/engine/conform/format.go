package conform

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// quoted formats a name that the server chose.
func quoted(name string) string { return strconv.Quote(clip.Text(name, 80)) }

// excerpt returns a part of a text in quotes, from shortly before a position, with the start of the line if it is near.
func excerpt(text string, at int) string {
	from := max(0, at-20)
	if line := strings.LastIndexByte(text[:at], '\n'); line >= from {
		from = line + 1
	}
	for from > 0 && from < at && !utf8.RuneStart(text[from]) {
		from++
	}
	start := ""
	if from > 0 {
		start = "…"
	}
	return strconv.Quote(start + clip.Text(text[from:], 240))
}

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
