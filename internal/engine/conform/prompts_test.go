package conform

import (
	"fmt"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// PROMPT-014 passes on prompts of which only some values of an argument matter.
func TestArgumentWithFewValues(t *testing.T) {
	t.Parallel()
	for name, other := range map[string]func(style, mood string) string{
		"described":             func(style, _ string) string { return map[string]string{"brief": "Hi"}[style] },
		"number":                func(style, _ string) string { return map[string]string{"100000": "Hi"}[style] },
		"with another argument": func(style, mood string) string { return map[bool]string{true: style}[mood != ""] },
	} {
		few := mutant{defect: answer("*", func(c *exemplar.Call, r []byte) []byte {
			switch {
			case c.Method == "prompts/list":
				return edited(r, set("/result/prompts/0/arguments/1",
					`{"name":"style","description":"How: polite or brief.","required":true}`),
					set("/result/prompts/0/arguments/2", `{"name":"mood"}`))
			case c.Method == "prompts/get" && schema.TextAt(c.Params, "/name") == "greet":
				text := schema.TextAt(r, "/result/messages/0/content/text") +
					other(schema.TextAt(c.Params, "/arguments/style"), schema.TextAt(c.Params, "/arguments/mood"))
				return edited(r, set("/result/messages/0/content/text", fmt.Sprintf("%q", text)))
			}
			return r
		})}
		out, err := judged(t, few.target(t, "PROMPT-014", OnPipe), calm("2025-11-25", "PROMPT-014"))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report.Results; len(r) != 1 || r[0].Status() != finding.Passed {
			t.Errorf("%s: %+v, expected it to pass", name, r)
		}
	}
}
