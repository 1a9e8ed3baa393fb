package suite

import (
	"encoding/json"
	"errors"
)

// notMatcher is a function, since it looks its argument up among all matchers, of which it is one.
func notMatcher() *Matcher {
	return &Matcher{
		Name: "not", Schema: json.RawMessage(`{"type":"object","minProperties":1,"maxProperties":1}`),
		Doc: "The value is there, and the matcher in here does not accept it.",
		New: newNot,
	}
}

func newNot(arg json.RawMessage) (Accept, error) {
	inner, err := newAccept(arg)
	if err != nil {
		return nil, err
	}
	return func(m *Moment, got json.RawMessage) error {
		if got == nil {
			return mismatch(nil, "a value for which this does not hold: %s", shorten(string(arg)))
		}
		var differs *Mismatch
		switch err := inner(m, got); {
		case err == nil:
			return mismatch(got, "a value for which this does not hold: %s", shorten(string(arg)))
		case errors.As(err, &differs):
			return nil
		default:
			return err
		}
	}, nil
}
