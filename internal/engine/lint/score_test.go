package lint

import (
	"encoding/json"
	"fmt"
	"testing"
)

// TestScore orders descriptions: each is better than the one before it.
func TestScore(t *testing.T) {
	const input = `{"type":"object","properties":{"id":{"type":"string"%s}}}`
	described := fmt.Sprintf(input, `,"description":"The id of the user."`)
	last := -1.0
	for _, test := range []struct{ description, input string }{
		{"", fmt.Sprintf(input, "")},
		{"", described},
		{"user", described},
		{"Get user", described},
		{"Get a user by the id", described},
		{"Get a user by id. Returns name and mail address.", described},
		{"Get a user by id. Returns name and mail address. Use search_users when the id is not known; needs the " +
			"scope users.", described},
	} {
		definition := fmt.Sprintf(`{"name":"get_user","description":%q,"inputSchema":%s}`, test.description, test.input)
		got := ScoreOf(json.RawMessage(definition)).Total
		if got <= last || got > 1 {
			t.Errorf("ScoreOf(%q) = %v, want more than %v and at most 1", test.description, got, last)
		}
		last = got
	}
	if last != 1 {
		t.Errorf("the best description scores %v, want 1", last)
	}
}
