package match

import (
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/mcptest-dev/mcptest/internal/clip"
)

var regexMatcher = &Matcher{
	Name: "regex", Schema: json.RawMessage(`{"type":"string"}`),
	Doc: "The string matches this regular expression (RE2) anywhere.",
	New: func(arg json.RawMessage) (Accept, error) {
		var pattern string
		if err := json.Unmarshal(arg, &pattern); err != nil {
			return nil, fmt.Errorf("%s, expected a regular expression as a string",
				clip.Sized(string(arg), MaxDisplayed))
		}
		re, err := regexp.Compile(pattern)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", pattern, err)
		}
		return func(_ *Context, got json.RawMessage) error {
			if got != nil && re.MatchString(Flat(got)) {
				return nil
			}
			return mismatch(got, "a string that matches %s", pattern)
		}, nil
	},
}
