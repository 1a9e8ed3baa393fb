package match

import (
	"encoding/json"
	"testing"
)

// Each row: a matcher, a value that it accepts and one that it does not; empty stands for a value that is not there.
func TestMatchers(t *testing.T) {
	for _, row := range []struct{ matcher, accepts, refuses string }{
		{`{"exact":1}`, `1.0`, `2`},
		{`{"exact":12345678901234567890}`, `12345678901234567890`, `12345678901234567891`},
		{`{"exact":{"a":[1,null],"b":"x"}}`, `{"b":"x","a":[1,null]}`, `{"b":"x","a":[1]}`},
		{`{"exact":null}`, `null`, ``},
		{`{"equals":"x"}`, `"x"`, `"X"`},
		{`{"contains":"bc"}`, `"abcd"`, `"acbd"`},
		{`{"contains":["a","b"]}`, `"xaby"`, `"xay"`},
		{`{"contains":{"a":1}}`, `{"a":1,"b":2}`, `{"a":2,"b":1}`},
		{`{"contains":{"a":1}}`, `[{"a":1,"b":2}]`, `[{"a":2}]`},
		{`{"contains":3}`, `[1,3]`, `[1,33]`},
		{`{"regex":"^a+$"}`, `"aaa"`, `"ab"`},
		{`{"regex":"^4"}`, `42`, `24`},
		{`{"schema":{"minimum":0.5}}`, `0.5`, `0.49`},
		{`{"schema":{"type":"object","required":["a"]}}`, `{"a":1}`, `{}`},
		{`{"one_of":[1,"a"]}`, `"a"`, `"b"`},
		{`{"not":{"contains":"x"}}`, `"abc"`, `"axc"`},
		{`{"not":{"exact":1}}`, `2`, ``},
		{`{"not":{"not":{"exact":1}}}`, `1`, `2`},
		{`{"length":2}`, `"äb"`, `"abc"`},
		{`{"length":{"min":1,"max":2}}`, `[1]`, `[]`},
		{`{"length":{"max":1}}`, `{"a":1}`, `{"a":1,"b":2}`},
		{`{"length":0}`, `""`, `5`},
		{`{"approx":3.1415926}`, `3.1415927`, `3.15`},
		{`{"approx":{"value":10,"percent":10}}`, `11`, `11.1`},
		{`{"approx":{"value":0,"tolerance":0.5}}`, `-0.5`, `-0.6`},
		{`{"expression":".a > 3"}`, `{"a":4}`, `{"a":3}`},
		{`{"exists":true}`, `null`, ``},
		{`{"exists":false}`, ``, `1`},
	} {
		accept, err := newAccept(json.RawMessage(row.matcher))
		if err != nil {
			t.Errorf("%s: %v", row.matcher, err)
			continue
		}
		m := &Context{Context: t.Context()}
		if err := accept(m, present(row.accepts)); err != nil {
			t.Errorf("%s of %s: got %v, want a match", row.matcher, row.accepts, err)
		}
		if err := accept(m, present(row.refuses)); err == nil {
			t.Errorf("%s of %s: got a match, want none", row.matcher, row.refuses)
		}
	}
	for _, wrong := range []string{`{"regex":"("}`, `{"regex":1}`, `{"schema":5}`, `{"one_of":[]}`, `{"not":{"x":1}}`,
		`{"length":"a"}`, `{"length":{}}`,
		`{"approx":"a"}`, `{"approx":{}}`, `{"expression":".a |"}`, `{"exists":1}`, `{"snapshot":1}`,
		`{"snapshot":{"ignore":["x"]}}`, `{"nope":1}`, `{}`, `[]`} {
		if _, err := newAccept(json.RawMessage(wrong)); err == nil {
			t.Errorf("%s: got no error, want one", wrong)
		}
	}
}

func present(text string) json.RawMessage {
	if text == "" {
		return nil
	}
	return json.RawMessage(text)
}

func TestDifferenceShowsThePartThatDiffers(t *testing.T) {
	accept, err := exactMatcher.New(json.RawMessage(`{"list":[{"a":1},{"a":2}],"same":"x"}`))
	if err != nil {
		t.Fatal(err)
	}
	got := accept(&Context{}, json.RawMessage(`{"list":[{"a":1},{"a":3}],"same":"x"}`)).Error()
	if want := "got:  3 at /list/1/a\nwant: 2"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
