package echo

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestRounded(t *testing.T) {
	for _, c := range []struct{ sent, text, want string }{
		{"9007199254750993", `{"id":9007199254750992}`, "9007199254750992"},
		{"9007199254750993", `{"id":9007199254750993}`, ""},
		{"9007199254750993", `{"id":9007199254750993,"other":9007199254750992}`, ""},
		{"9007199254750993", `{"id":"unknown"}`, ""},
		{"1234567890123456789", "card 1234567890123456800", "1234567890123456800"},
		{"1234567890123456789", "card 1234567890123456768", "1234567890123456768"},
		{"1234", "1234", ""},
	} {
		if got := Rounded(c.sent, c.text); got != c.want {
			t.Errorf("%s in %s: got %q, expected %q", c.sent, c.text, got, c.want)
		}
	}
}

func TestMayBeLimit(t *testing.T) {
	for integer, want := range map[string]bool{"9223372036854775808": true, "9007199254740992": true, "9007199254750992": false} {
		if got := MayBeLimit(integer); got != want {
			t.Errorf("%s: got %v", integer, got)
		}
	}
}

func TestRolledOver(t *testing.T) {
	for _, c := range []struct{ sent, text, want string }{
		{`{"date":"2025-02-30"}`, `{"date":"2025-03-02","weekday":"Sunday"}`, "2025-03-02"},
		{`{"date":"2025-02-30T12:00:00Z"}`, `at 2025-03-02T12:00:00.000Z`, "2025-03-02"},
		{`{"date":"2025-02-29"}`, `2025-03-01`, "2025-03-01"},
		{`{"date":"2025-02-30"}`, `2025-02-30 became 2025-03-02`, ""}, // it says so
		{`{"date":"2025-02-30"}`, `2025-03-01, 2025-03-02`, ""},       // all days after it
		{`{"date":"2025-02-30"}`, `2025-02-28`, ""},                   // the last day of the month
		{`{"date":"2025-02-30"}`, `Sunday`, ""},
		{`{"date":"2025-01-31"}`, `2025-03-02`, ""}, // it exists
		{`{"date":"2025-02-77"}`, `2025-03-02`, ""},
		{`{"date":"2025-13-30"}`, `2025-03-02`, ""},
	} {
		if _, got := RolledOver(c.sent, c.text); got != c.want {
			t.Errorf("%s, %s: got %q, expected %q", c.sent, c.text, got, c.want)
		}
	}
}

func TestStripZeros(t *testing.T) {
	for sent, want := range map[string]string{"02134": "2134", "0012345": "12345", "2134": "", "0730": "", "00501": "", "0x12345": "",
		"01234.5": "", "00000": "", "": ""} {
		if got := StripZeros(sent); got != want {
			t.Errorf("%s: got %q, expected %q", sent, got, want)
		}
	}
}

func TestHasNumber(t *testing.T) {
	for text, want := range map[string]bool{"ZIP code 2134.": true, `{"zip":2134}`: true, "02134": false, "12134": false,
		"2134.5": false, "2,134": false, "+2134": false, "ZIP code": false} {
		if got := HasNumber(text, "2134"); got != want {
			t.Errorf("%s: got %v", text, got)
		}
	}
}

func TestMisread(t *testing.T) {
	for text, want := range map[string]string{
		"CrÃ¨me brÃ»lÃ©e, tarte Ã\u00a0 la crÃ¨me": "Crème brûlée, tarte à la crème",
		"CafÃ© au lait, thÃ© glacÃ©":               "Café au lait, thé glacé",
		"BÅ“uf, soupe Ã\u00a0 lâ€™oignon, thÃ©":    "Bœuf, soupe à l’oignon, thé",
		"ZoÃ« und AndrÃ©":                          "", // a quotation mark may follow a letter
		"GÃ¼nther MÃ¼ller":                         "Günther Müller",
		"Crème brûlée":                             "",
		"Ã© instead of é, Ã¨ instead of è":         "", // it is about encodings
		"AVIÃO, IRMÃ, CÃO":                         "",
		"HÃ NỘI, ÃO DÀI":                           "",
		"«IRMû, «MANHû":                            "",
		"10 Â°C, 20 Â°C":                           "", // a sign alone is not clear
		"plain":                                    "",
	} {
		if _, got := Misread([]string{text}); got != want {
			t.Errorf("%s: got %q, expected %q", text, got, want)
		}
	}
	if _, got := Misread([]string{"CafÃ©", "ThÃ©"}); got != "Café" {
		t.Errorf("one letter in each of two texts: got %q", got)
	}
}

// TestLists wants a list that is null for another text, and nothing that may be null for a reason.
func TestLists(t *testing.T) {
	type call struct{ arguments, result string }
	for _, c := range []struct {
		name  string
		calls []call
		want  string
	}{
		{"null and items", []call{{`{"q":"x"}`, `{"tags":null}`}, {`{"q":"y"}`, `{"tags":null}`}, {`{"q":"ho"}`, `{"tags":["home"]}`}}, "tags"},
		{"in an object", []call{{`{"q":"ho"}`, `{"data":{"tags":["home"]}}`}, {`{"q":"x"}`, `{"data":{"tags":null}}`},
			{`{"q":"y"}`, `{"data":{"tags":null}}`}}, "data.tags"},
		{"null once", []call{{`{"q":"x"}`, `{"tags":null}`}, {`{"q":"ho"}`, `{"tags":["home"]}`}}, ""},
		{"also empty", []call{{`{"q":"x"}`, `{"tags":null}`}, {`{"q":"y"}`, `{"tags":null}`}, {`{"q":"z"}`, `{"tags":[]}`},
			{`{"q":"ho"}`, `{"tags":["home"]}`}}, ""},
		{"unknown", []call{{`{"q":"x"}`, `{"found":false,"tags":null}`}, {`{"q":"y"}`, `{"found":false,"tags":null}`},
			{`{"q":"ho"}`, `{"found":true,"tags":["home"]}`}}, ""},
		{"an error beside it", []call{{`{"q":"x"}`, `{"error":"no","tags":null}`}, {`{"q":"y"}`, `{"error":"no","tags":null}`},
			{`{"q":"ho"}`, `{"tags":["home"]}`}}, ""},
		{"not requested", []call{{`{"q":"x","full":false}`, `{"tags":null}`}, {`{"q":"y","full":false}`, `{"tags":null}`},
			{`{"q":"ho","full":true}`, `{"tags":["home"]}`}}, ""},
		{"another mode", []call{{`{"mode":"a"}`, `{"tags":null}`}, {`{"mode":"b"}`, `{"tags":null}`}, {`{"mode":"c"}`, `{"tags":["home"]}`}}, ""},
		{"an object that may be null", []call{{`{"q":"x"}`, `{"owner":null}`}, {`{"q":"y"}`, `{"owner":null}`},
			{`{"q":"ho"}`, `{"owner":{"name":"zoe"}}`}}, ""},
	} {
		lists, got := Lists{}, ""
		for _, one := range c.calls {
			got, _, _ = lists.Compare(json.RawMessage(one.arguments), json.RawMessage(one.result),
				func(argument string) bool { return argument == "q" })
		}
		if got != c.want {
			t.Errorf("%s: got %q, expected %q", c.name, got, c.want)
		}
		lists.Forget()
		last := c.calls[len(c.calls)-1]
		if got, _, _ := lists.Compare(json.RawMessage(last.arguments), json.RawMessage(last.result),
			func(string) bool { return true }); got != "" {
			t.Errorf("%s: one call shows %q", c.name, got)
		}
	}
}

func TestSubstitutes(t *testing.T) {
	for tool, want := range map[string]bool{"render_label title note": false, "regex_replace text": true, "fill name template": true, "greet name": false} {
		name, arguments, _ := strings.Cut(tool, " ")
		if got := Substitutes(name, strings.Fields(arguments)); got != want {
			t.Errorf("%s: got %v", tool, got)
		}
	}
}
