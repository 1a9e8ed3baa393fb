package fuzz

import (
	"encoding/json"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/cases"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/echo"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// replied is the observation of a valid call with a text.
func replied(arguments, input, text string, failed bool) *observation {
	result := map[string]any{"content": []any{map[string]string{"type": "text", "text": text}}, "isError": failed}
	raw, _ := json.Marshal(result)
	return &observation{Case: cases.Case{Tool: "work", Arguments: json.RawMessage(arguments), Allowed: true},
		input: json.RawMessage(input), integers: echo.Integers(json.RawMessage(input)),
		Exchange: &mcp.Exchange{Reply: &mcp.Message{Result: raw}}}
}

// TestDigitsInErrors distinguishes a rounded identifier from the statement of a limit.
func TestDigitsInErrors(t *testing.T) {
	for _, c := range []struct {
		rules, sent, text string
		wrong             bool
	}{
		{`{"type":"integer"}`, "9007199254750993", "No order 9007199254750992", true},
		{`{"type":["integer","null"]}`, "9007199254750993", "No order 9007199254750992", true},
		{`{"anyOf":[{"type":"integer"},{"type":"null"}]}`, "9007199254750993", "No order 9007199254750992", true},
		{`{"type":"number"}`, "9007199254750993", "No order 9007199254750992", false},
		{`{"type":"integer"}`, "9007199254750993", "No order 9007199254750993", false},
		{`{"type":"integer"}`, "9007199254750993", "9007199254750992 is not a safe integer", false},
		{`{"type":"integer"}`, "9007199254750993", "id must be at most 9007199254740991, got 9007199254750992", false},
		{`{"type":"integer"}`, "9223372036854775807", "No order below 9223372036854775808", false},
	} {
		input := `{"type":"object","properties":{"id":` + c.rules + `}}`
		if b := preservesDigits(replied(`{"id":`+c.sent+`}`, input, c.text, true)); (b != nil) != c.wrong {
			t.Errorf("%s, %s, %s: %+v", c.rules, c.sent, c.text, b)
		}
	}
}

// TestLeadingZeros wants a finding only if the zeros mean something.
func TestLeadingZeros(t *testing.T) {
	for _, c := range []struct {
		rules, sent, text string
		wrong             bool
	}{
		{`{"type":"string","description":"for example 02134"}`, "02134", "No place for 2134", true},
		{`{"type":"string","examples":["02134"]}`, "02134", `{"zip":2134}`, true},
		{`{"type":"string","pattern":"^\\d{5}$"}`, "02134", `{"zip":"2134"}`, true},
		{`{"type":"string","pattern":"^\\d{5}$"}`, "02134", `{"zip":"02134","count":2134}`, false},
		{`{"type":"string","pattern":"^\\d+$"}`, "02134", `{"number":2134}`, false},
		{`{"type":"string"}`, "02134", `{"number":2134}`, false},
		{`{"type":"string","description":"for example 02134; leading zeros are ignored"}`, "02134", `{"number":2134}`, false},
		{`{"type":"string","description":"phone number, for example 0049301234567"}`, "0049301234567", "+49301234567", false},
		{`{"type":"string","pattern":"^\\d{2}$"}`, "07", `{"hour":7}`, false},
		{`{"type":"string","pattern":"^\\d{5}$"}`, "02134", "no place", false},
	} {
		input := `{"type":"object","properties":{"zip":` + c.rules + `}}`
		if b := keepsZeros(replied(`{"zip":"`+c.sent+`"}`, input, c.text, false)); (b != nil) != c.wrong {
			t.Errorf("%s, %s, %s: %+v", c.rules, c.sent, c.text, b)
		}
	}
}

// TestFormatFaults distinguishes a message that was formatted wrong from data about one.
func TestFormatFaults(t *testing.T) {
	long := make([]byte, maxFormatted)
	for i := range long {
		long[i] = 'x'
	}
	for _, c := range []struct {
		sent, text      string
		failed, foreign bool
		wrong           bool
	}{
		{`{}`, "get job: %!w(<nil>)", true, false, true},
		{`{}`, "no user %!d(string=zoe)", true, false, true},
		{`{}`, "no user %!s(MISSING)", false, false, true},
		{`{}`, "no user zoe%!(EXTRA int=1)", true, true, true},
		{`{}`, "no user %!s(MISSING)", false, true, false},
		{`{}`, string(long) + "%!s(MISSING)", false, false, false},
		{`{"text":"%!s(MISSING)"}`, "no user %!s(MISSING)", true, false, false},
		{`{}`, "100%! (really)", true, false, false},
		{`{}`, "done 100%!", false, false, false},
	} {
		s := replied(c.sent, `{}`, c.text, c.failed)
		s.foreign = c.foreign
		if b := formatFault(s); (b != nil) != c.wrong {
			t.Errorf("%+v: %+v", c, b)
		}
	}
}

// TestMisreadTexts distinguishes a text of the server that was read in another encoding from those of others.
func TestMisreadTexts(t *testing.T) {
	for _, c := range []struct {
		sent, text        string
		foreign, converts bool
		wrong             bool
	}{
		{`{"section":"drinks"}`, "CafÃ© au lait, thÃ© glacÃ©", false, false, true},
		{`{"section":"drinks"}`, "CafÃ© au lait, thÃ© glacÃ©", true, false, false},
		{`{"section":"drinks"}`, "CafÃ© au lait, thÃ© glacÃ©", false, true, false},
		{`{"section":"drinks"}`, "Café au lait, thé glacé", false, false, false},
		{`{"section":"CafÃ© thÃ©"}`, "CafÃ© thÃ©", false, false, false},
	} {
		s := replied(c.sent, `{}`, c.text, false)
		s.foreign, s.converts = c.foreign, c.converts
		if b := preservesLetters(s); (b != nil) != c.wrong {
			t.Errorf("%+v: %+v", c, b)
		}
	}
}
