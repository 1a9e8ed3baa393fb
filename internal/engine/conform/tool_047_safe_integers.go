package conform

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var tool047 = &Check{
	Rule: finding.Rule{
		ID:       "TOOL-047",
		Severity: finding.Warning,
		Spec:     spec.Newest().URL("server/tools#structured-content"),
		Doc: `integers in structuredContent should fit into 53 bits

Clients in JavaScript, and many others, read numbers as floating-point numbers: an integer beyond 9007199254740991 becomes
another one, without an error. An ID then belongs to something else. Return large integers as strings.`,
	},
	Since: spec.June2025,
	Needs: "tools",
	Run: func(ctx context.Context, p *CheckContext) error {
		done, err := p.Called(ctx)
		for _, c := range done {
			if c.Result() == nil {
				continue
			}
			if at, number := unsafeInteger(At(c.Result(), "/structuredContent"), maxSearched); number != "" {
				p.Report(Evidence{Subject: c.Name, Exchange: c.Exchange, Pointer: "/structuredContent" + at},
					"integer %s has more than 53 bits: expected a string, or at most 9007199254740991", number)
			}
		}
		return err
	},
}

// maxElements is how many elements of a list are searched for integers.
const maxElements = 100

// unsafeInteger returns the first integer in a value that a floating-point number may not represent, and where it is;
// empty if there is none.
func unsafeInteger(value json.RawMessage, depth int) (at, number string) {
	if depth == 0 {
		return "", ""
	}
	switch schema.Kind(value) {
	case '{':
		members, _ := schema.Members(value)
		for _, m := range members {
			if inner, number := unsafeInteger(m.Value, depth-1); number != "" {
				return "/" + schema.Token(m.Name) + inner, number
			}
		}
	case '[':
		items, _ := schema.Elements(value)
		for i, item := range items[:min(len(items), maxElements)] {
			if inner, number := unsafeInteger(item, depth-1); number != "" {
				return fmt.Sprintf("/%d", i) + inner, number
			}
		}
	case '0':
		text := strings.TrimPrefix(strings.TrimSpace(string(value)), "-")
		const most = "9007199254740991"
		if !strings.ContainsAny(text, ".eE") && (len(text) > len(most) || len(text) == len(most) && text > most) {
			return "", string(value)
		}
	}
	return "", ""
}
