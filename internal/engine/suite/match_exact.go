package suite

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/clip"
)

var exactMatcher = &Matcher{
	Name: "exact", Schema: json.RawMessage(`{}`),
	Doc: "The value equals this one. Numbers are compared by value, objects regardless of the order of their members.",
	New: func(want json.RawMessage) (Accept, error) {
		return func(_ *MatchContext, got json.RawMessage) error {
			if got != nil && equal(got, want) {
				return nil
			}
			at, gotPart, wantPart := difference(got, want)
			if at == "" {
				return mismatch(got, "%s", clip.Sized(string(want), maxDisplayed))
			}
			return &Mismatch{Got: showValue(gotPart) + " at " + at, Want: showValue(wantPart)}
		}, nil
	},
}
