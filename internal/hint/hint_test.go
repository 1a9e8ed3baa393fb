package hint

import (
	"encoding/json"
	"testing"
)

func TestIn(t *testing.T) {
	page := func(m Mark) (string, bool) {
		phrase, ok := map[Mark]string{
			{Option, "timeout"}: "timeout", {Kind: ShowMessages}: "open Wire to see the messages",
			{GetToken, "https://a.test"}: "sign in", {GetScopes, "https://a.test/%7Bid%7D"}: "sign in with more scopes",
		}[m]
		return phrase, ok
	}
	for _, c := range []struct {
		hint                Text
		commandLine, onPage string
	}{
		{"", "", ""},
		{"try again", "try again", "try again"},
		{"use a longer {--timeout}; {show messages}", "use a longer --timeout; use --trace to see the messages",
			"use a longer timeout; open Wire to see the messages"},
		{"try again; use {--force}", "try again; use --force", "try again"},
		{"use {--force} or a longer {--timeout}", "use --force or a longer --timeout", ""},
		{"first\nrun: {mcptest run --list}\nlast", "first\nrun: mcptest run --list\nlast", "first\nlast"},
		{"no token; " + SignIn("https://a.test"), "no token; run: mcptest auth https://a.test", "no token; sign in"},
		{MoreScopes("https://a.test/{id}"), "run: mcptest auth https://a.test/%7Bid%7D --scope …",
			"sign in with more scopes"},
		{"pass {tool: NAME}, {id} or {--}", "pass {tool: NAME}, {id} or {--}", "pass {tool: NAME}, {id} or {--}"},
	} {
		if got := c.hint.String(); got != c.commandLine {
			t.Errorf("%q on the command line: %q, expected %q", string(c.hint), got, c.commandLine)
		}
		if got := c.hint.In(page); got != c.onPage {
			t.Errorf("%q on the page: %q, expected %q", string(c.hint), got, c.onPage)
		}
	}
}

func TestJSON(t *testing.T) {
	got, err := json.Marshal(struct{ Hint Text }{"use {--force}"})
	if err != nil || string(got) != `{"Hint":"use --force"}` {
		t.Errorf("%s, %v; expected the terms of the command line", got, err)
	}
}
