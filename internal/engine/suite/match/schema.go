package match

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var schemaMatcher = &Matcher{
	Name: "schema", Schema: json.RawMessage(`{"type":["object","boolean"]}`),
	Doc: "The value is valid against this JSON Schema. Use minimum and maximum as thresholds for numbers.",
	New: func(arg json.RawMessage) (Accept, error) {
		compiled, err := schema.Compile(arg, nil)
		if err != nil {
			return nil, fmt.Errorf("schema: %w", err)
		}
		return func(_ *Context, got json.RawMessage) error {
			if got == nil {
				return mismatch(nil, "a value valid against %s", clip.Sized(string(arg), MaxDisplayed))
			}
			violations := compiled.Validate(got)
			if len(violations) == 0 {
				return nil
			}
			var lines []string
			for _, v := range violations {
				lines = append(lines, strings.TrimSpace(v.Path+" "+v.Message))
			}
			return mismatch(got, "a value valid against the schema: %s", strings.Join(lines, "; "))
		}, nil
	},
}
