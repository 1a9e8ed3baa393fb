package match

import (
	"encoding/json"
	"errors"

	"github.com/mcptest-dev/mcptest/internal/clip"
)

// notMatcher is a function, since it looks up its argument in the list of all matchers, which includes itself.
func notMatcher() *Matcher {
	return &Matcher{
		Name: "not", Schema: json.RawMessage(`{"type":"object","minProperties":1,"maxProperties":1}`),
		Doc: "The value exists, and the nested matcher does not match it.",
		New: newNot,
	}
}

func newNot(arg json.RawMessage) (Accept, error) {
	inner, err := newAccept(arg)
	if err != nil {
		return nil, err
	}
	return func(m *Context, got json.RawMessage) error {
		if got == nil {
			return mismatch(nil, "value not matching: %s", clip.Sized(string(arg), MaxDisplayed))
		}
		var differs *Mismatch
		switch err := inner(m, got); {
		case err == nil:
			return mismatch(got, "value not matching: %s", clip.Sized(string(arg), MaxDisplayed))
		case errors.As(err, &differs):
			return nil
		default:
			return err
		}
	}, nil
}
