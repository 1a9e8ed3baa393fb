package words

import (
	"encoding/json"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// Each alternative of the expression, so that the parts that are looked for first cannot hide one.
func TestSayNothing(t *testing.T) {
	for text, want := range map[string]bool{
		"User not found":                true,
		"No such file":                  true,
		"unknown city":                  true,
		"It does not exist":             true,
		"It doesn't exist":              true,
		"Nothing to show":               true,
		"None":                          true,
		"no open tickets found":         true,
		"0 results":                     true,
		"No matches":                    true,
		"There is no user named Ada":    true,
		"Could not find the page":       true,
		"Couldn't find the page":        true,
		"Cannot find the page":          true,
		"I can't find the page":         true,
		"10 results":                    false,
		"Ada, 36 years":                 false,
		"Found it in another folder":    false,
		"cannot be more than 5":         false,
		"The note is not long":          false,
		"It was not foundational to me": false,
	} {
		if got := SayNothing(text); got != want {
			t.Errorf("%q: got %v, expected %v", text, got, want)
		}
	}
}

func TestFruitful(t *testing.T) {
	text := func(s string) json.RawMessage {
		quoted, _ := json.Marshal(s)
		return json.RawMessage(`[{"type":"text","text":` + string(quoted) + `}]`)
	}
	for _, c := range []struct {
		content, data json.RawMessage
		want          bool
	}{
		{text("Ada"), nil, true},
		{text("No such user"), nil, false},
		{text(`[]`), nil, false},
		{text(`{"items":[],"total":0}`), nil, false},
		{text(`{"items":[],"others":["Ada"]}`), nil, true},
		{text(`{"found":false}`), nil, false},
		{text(`{"read":false}`), nil, true},
		{text("Ada"), json.RawMessage(`{"result":null}`), false},
		{text("No such user"), json.RawMessage(`{"name":"Ada"}`), true},
		{json.RawMessage(`[]`), nil, false},
	} {
		if got := Fruitful(c.content, c.data); got != c.want {
			t.Errorf("%s %s: got %v, expected %v", c.content, c.data, got, c.want)
		}
	}
}

func TestMessages(t *testing.T) {
	for _, c := range []struct {
		name      string
		recognize func(string) bool
		yes, no   string
	}{
		{"GiveNoReason", GiveNoReason, "Internal error", "Internal error: unknown city"},
		{"Demand", Demand, "city is required", "city is closed"},
		{"MayRequest", MayRequest, "please choose a city", "city is closed"},
		{"RejectValue", RejectValue, "unsupported format: xml", "the file has no xml"},
		{"LimitCalls", LimitCalls, "too many requests", "too many letters"},
	} {
		if !c.recognize(c.yes) || c.recognize(c.no) {
			t.Errorf("%s: got %v for %q and %v for %q, expected true and false", c.name, c.recognize(c.yes), c.yes, c.recognize(c.no), c.no)
		}
	}
}

func TestMention(t *testing.T) {
	for _, c := range []struct {
		said, name string
		word, part bool
	}{
		{"start_date is wrong", "start_date", true, true},
		{"the start date is wrong", "start_date", false, true},
		{"the restart_date is wrong", "start_date", false, false},
		{"use c++ here", "c++", true, true},
		{"anything", "", false, false},
	} {
		if got := Mention(c.said, c.name); got != c.part {
			t.Errorf("Mention(%q, %q): got %v, expected %v", c.said, c.name, got, c.part)
		}
		if c.name != "" && HaveName(c.said, c.name) != c.word {
			t.Errorf("HaveName(%q, %q): got %v, expected %v", c.said, c.name, !c.word, c.word)
		}
	}
}

func TestOf(t *testing.T) {
	for raw, want := range map[string]string{
		`{"content":[{"type":"text","text":"a"},{"type":"image","data":""},{"type":"text","text":"b"}]}`: "a\nb",
		`{}`: "",
	} {
		if got := Of(&mcp.Message{Result: json.RawMessage(raw)}); got != want {
			t.Errorf("%s: got %q, expected %q", raw, got, want)
		}
	}
	failed := &mcp.Message{Error: &mcp.RPCError{Code: -32602, Message: "unknown city", Data: json.RawMessage(`{"city":"x"}`)}}
	if got, want := Of(failed), "unknown city\n"+`{"city":"x"}`; got != want {
		t.Errorf("an error: got %q, expected %q", got, want)
	}
}
