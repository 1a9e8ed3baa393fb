package conform

import (
	"fmt"
	"strconv"
	"strings"
)

// quoted shows a name that a server chose.
func quoted(name string) string { return strconv.Quote(clip(name, 80)) }

// codeNames lists error codes for a message.
func codeNames(codes []int64) string {
	var names []string
	for _, code := range codes {
		names = append(names, fmt.Sprint(code))
	}
	return strings.Join(names, " or ")
}
