package suite

import (
	"encoding/json"
	"fmt"
	"regexp"
)

var regexMatcher = &Matcher{
	Name: "regex", Schema: json.RawMessage(`{"type":"string"}`),
	Doc: "The text matches this regular expression (RE2), anywhere in it.",
	New: func(arg json.RawMessage) (Accept, error) {
		var pattern string
		if err := json.Unmarshal(arg, &pattern); err != nil {
			return nil, fmt.Errorf("%s; want a regular expression as a text", shorten(string(arg)))
		}
		re, err := regexp.Compile(pattern)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", pattern, err)
		}
		return func(_ *Moment, got json.RawMessage) error {
			if got != nil && re.MatchString(flat(got)) {
				return nil
			}
			return mismatch(got, "something that matches %s", pattern)
		}, nil
	},
}
