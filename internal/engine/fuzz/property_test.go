package fuzz

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/cases"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// TestCoercion wants a value that was converted without loss to be a note, and any other that was accepted an error.
func TestCoercion(t *testing.T) {
	g, err := cases.NewGenerator("work", json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"},`+
		`"b":{"type":"boolean"},"s":{"type":"string"},"l":{"type":"array","items":{"type":"integer"}},"o":{"anyOf":[{"type":"integer"},{"type":"null"}]},`+
		`"e":{"anyOf":[{"type":"string","enum":["a"]},{"type":"null"}]},"p":{"type":"string","pattern":"^[A-Z]$"},`+
		`"r":{"type":"object","properties":{"q":{"type":"string","enum":["a"]}},"required":["q"]}}}`), 1, cases.Care{})
	if err != nil {
		t.Fatal(err)
	}
	for arguments, want := range map[string]finding.Severity{
		`{"n":"1"}`: finding.Info, `{"b":"true"}`: finding.Info, `{"b":1}`: finding.Info, `{"s":5}`: finding.Info,
		`{"l":"[1,2]"}`: finding.Info, `{"l":["1"]}`: finding.Info, `{"o":"null"}`: finding.Info, `{"o":"7"}`: finding.Info,
		`{"n":null}`: finding.Info, `{"n":null,"b":"true"}`: finding.Info, `{"n":null,"b":"x"}`: "", `{"l":[null]}`: "", `{"r":{"q":null}}`: "",
		`{"e":"null"}`: finding.Info, `{"p":"null"}`: "", `{"e":"b"}`: "",
		`{"n":"x"}`: "", `{"n":1.5}`: "", `{"n":"1.5"}`: "", `{"n":"null"}`: "", `{"o":"x"}`: "", `{"l":"[x]"}`: "", `{"s":{}}`: "",
		`{"n":"1","b":"x"}`: "",
	} {
		c := cases.Case{Tool: "work", Arguments: json.RawMessage(arguments)}
		g.Validate(&c)
		b := refusesInvalid(&observation{Case: c,
			Exchange: &mcp.Exchange{Reply: &mcp.Message{Result: json.RawMessage(`{"content":[]}`)}}})
		if b == nil || b.severity != want {
			t.Errorf("%s accepted: got %+v, want severity %q", arguments, b, want)
		}
	}
}

// TestLeakNamesTheKey wants a secret to be named by its key, even beside a path, and never to be shown.
func TestLeakNamesTheKey(t *testing.T) {
	said := `{"content":[{"type":"text","text":"cannot read /home/app/secrets/env: API_KEY=abcdef1234567890"}],` +
		`"isError":true}`
	b := noLeak(&observation{Exchange: &mcp.Exchange{Reply: &mcp.Message{Result: json.RawMessage(said)}}})
	if b == nil || !strings.Contains(b.message, "API_KEY") || strings.Contains(b.message, "abcdef") {
		t.Errorf("got %+v, want the key without its value", b)
	}
}

// TestPointersAreNoPaths distinguishes a JSON Pointer to an argument from a path on the server.
func TestPointersAreNoPaths(t *testing.T) {
	said := `{"content":[{"type":"text","text":"Invalid arguments: /root/children/0 must be object"}],"isError":true}`
	for _, argument := range []string{"root", "tree"} {
		s := &observation{Exchange: &mcp.Exchange{Reply: &mcp.Message{Result: json.RawMessage(said)}},
			properties: []string{argument}}
		if got, want := noLeak(s) != nil, argument != "root"; got != want {
			t.Errorf("the argument %s: a leak %v, want %v", argument, got, want)
		}
	}
}

// TestInheritedNames checks that a lookup in a plain object is told apart from a value that was not serialized.
func TestInheritedNames(t *testing.T) {
	for arguments, want := range map[string]string{`{"unit":"constructor"}`: "looks constructor up in a plain object",
		`{"unit":"foot"}`: "not a value of the tool"} {
		s := &observation{Case: cases.Case{Arguments: json.RawMessage(arguments)}, Exchange: &mcp.Exchange{Reply: &mcp.Message{
			Result: json.RawMessage(`{"content":[{"type":"text","text":"1 is function Object() { [native code] } m"}]}`)}}}
		if got := returnsValues(s); got == nil || !strings.Contains(got.message, want) {
			t.Errorf("%s: got %+v, want a message with %q", arguments, got, want)
		}
	}
}

// TestRepeatedNames distinguishes a secret from a value that the server repeats in its error.
func TestRepeatedNames(t *testing.T) {
	for arguments, leaks := range map[string]bool{`{"title":"passwd"}`: false, `{"title":"x"}`: true,
		`{"passwd":1}`: true} {
		s := &observation{Case: cases.Case{Arguments: json.RawMessage(arguments)},
			Exchange: &mcp.Exchange{Reply: &mcp.Message{
				Result: json.RawMessage(`{"isError":true,"content":[{"type":"text","text":"passwd: unc0mm0n title"}]}`)}}}
		if got := hidesSecrets(s) != nil; got != leaks {
			t.Errorf("%s: a secret %v, want %v", arguments, got, leaks)
		}
	}
}

// TestSecretBesideResult wants a secret in _meta of a result to be found; in the result itself it may be what was requested.
func TestSecretBesideResult(t *testing.T) {
	const source = `"postgres://reader:Vq7-tilla-93@10.0.4.7/seeds"`
	for result, leaks := range map[string]bool{
		`{"content":[],"_meta":{"trace":{"source":` + source + `}}}`: true,
		`{"content":[],"_meta":{"trace":{"ms":3}}}`:                  false,
		`{"content":[{"type":"text","text":` + source + `}]}`:        false,
	} {
		s := &observation{Exchange: &mcp.Exchange{Reply: &mcp.Message{Result: json.RawMessage(result)}}}
		if got := hidesSecrets(s) != nil; got != leaks {
			t.Errorf("%s: a secret %v, want %v", result, got, leaks)
		}
	}
}

// A server may reject or accept a text that does not match its format. Only an exception that is not about the value is
// reported.
func TestTextOfAnotherFormat(t *testing.T) {
	g, err := cases.NewGenerator("work", json.RawMessage(`{"type":"object","properties":{"day":{"type":"string",`+
		`"format":"date"}},"required":["day"]}`), 1, cases.Care{})
	if err != nil {
		t.Fatal(err)
	}
	failed := func(text string) *mcp.Message {
		return &mcp.Message{Result: json.RawMessage(`{"content":[{"type":"text","text":"` + text + `"}],"isError":true}`)}
	}
	for _, c := range []struct {
		reply        *mcp.Message
		text, format string // the rules that a text and a date violate
	}{
		{&mcp.Message{Result: json.RawMessage(`{"content":[{"type":"text","text":"fine"}]}`)}, "", ""},
		{&mcp.Message{Error: &mcp.RPCError{Code: mcp.CodeInvalidParams, Message: "day must match format date"}}, "", "FUZZ-005"},
		{&mcp.Message{Error: &mcp.RPCError{Code: mcp.CodeInternal, Message: "no"}}, "", "FUZZ-005"},
		{&mcp.Message{Error: &mcp.RPCError{Code: mcp.CodeInternal, Message: "Internal error"}}, "", "FUZZ-005"},
		{&mcp.Message{Error: &mcp.RPCError{Code: mcp.CodeInternal, Message: "KeyError: 'day of the week'"}}, "", "FUZZ-005"},
		{&mcp.Message{Error: &mcp.RPCError{Code: mcp.CodeInternal, Message: "no train runs on this day"}}, "", "FUZZ-005 warning"},
		{&mcp.Message{Error: &mcp.RPCError{Code: mcp.CodeInternal, Message: "getaddrinfo ENOTFOUND a.example"}}, "", ""},
		{failed("day is required"), "", ""},
		{failed("'NoneType' object has no attribute 'year'"), "FUZZ-014 warning", "FUZZ-014"},
	} {
		for day, want := range map[string]string{"x": c.text, "2024-02-29": c.format} {
			one := cases.Case{Tool: "work", Arguments: json.RawMessage(`{"day":"` + day + `"}`)}
			g.Validate(&one)
			revision, _ := spec.Find("2025-06-18")
			rule, b := evaluate(&observation{Case: one, Exchange: &mcp.Exchange{Reply: c.reply}, revision: &revision,
				fineMeta: new(string), properties: []string{"day"}})
			got := rule.ID
			if b != nil && b.severity != "" {
				got += " " + string(b.severity)
			}
			if got != want {
				t.Errorf("%s, %+v: got %q, expected %q", day, c.reply, got, want)
			}
		}
	}
}

// A tool that says that it reads any file may return one.
func TestReadersOfAnyFile(t *testing.T) {
	for _, anyFile := range []bool{false, true} {
		s := &observation{Case: cases.Case{Arguments: json.RawMessage(`{"path":"/etc/passwd"}`), Allowed: true}, anyFile: anyFile,
			Exchange: &mcp.Exchange{Reply: &mcp.Message{Result: json.RawMessage(
				`{"content":[{"type":"text","text":"root:x:0:0:root:/root:/bin/sh"}]}`)}}}
		if b := staysInData(s); (b == nil) != anyFile {
			t.Errorf("reads any file %v: %+v", anyFile, b)
		}
	}
}

// The sum of numbers is what a tool may return; the value of code is not.
func TestToolsMayAdd(t *testing.T) {
	for _, c := range []struct {
		sent              string
		takesSQL, reports bool
	}{
		{`{"x":"41990+42000"}`, false, false},
		{`{"x":"$(expr 41990 + 42000)"}`, false, false}, // it may add all numbers of a text
		{`{"x":"$(expr 83992 - xx : xx)"}`, false, true},
		{`{"x":"83992-'xx'.__len__()"}`, false, true},
		{`{"x":"83992-'xx'.concat('').length"}`, false, true},
		{`{"x":"' UNION SELECT 83992-length('xx') -- "}`, false, true},
		{`{"x":"' UNION SELECT 83992-length('xx') -- "}`, true, false},
		{`{"x":"83990 83992-'xx'.__len__()"}`, false, false},
	} {
		s := &observation{Case: cases.Case{Arguments: json.RawMessage(c.sent), Allowed: true}, takesSQL: c.takesSQL,
			Exchange: &mcp.Exchange{Reply: &mcp.Message{Result: json.RawMessage(`{"content":[{"type":"text","text":"83990"}]}`)}}}
		if b := staysInData(s); (b != nil) != c.reports {
			t.Errorf("%s, takes SQL %v: %+v", c.sent, c.takesSQL, b)
		}
	}
}

// A sentence about the file of accounts is not its content.
func TestAccounts(t *testing.T) {
	for text, wrong := range map[string]bool{
		"root:x:0:0:root:/root:/bin/sh":                                             true,
		"found:\nroot:x:0:0:root:/root:/bin/sh":                                     true,
		`{"body": "root:x:0:0:root:/root:/bin/sh"}`:                                 true,
		"root:x:0:0:a made-up image:/root:/bin/sh":                                  false,
		"It reads ../../etc/passwd and shows lines such as root:x:0:0:root:/root:.": false,
	} {
		result := mcp.Object("content", []any{map[string]string{"type": "text", "text": text}})
		s := &observation{Case: cases.Case{Arguments: json.RawMessage(`{"q":"passwd"}`), Allowed: true},
			Exchange: &mcp.Exchange{Reply: &mcp.Message{Result: result}}}
		if b := staysInData(s); (b != nil) != wrong {
			t.Errorf("%q: %+v, want a violation %v", text, b, wrong)
		}
	}
}

// A limit of calls is no limit of an argument.
func TestLimitOfCalls(t *testing.T) {
	for text, want := range map[string]bool{
		"month must be at most 10": true,
		"Rate limit reached: at most 10 calls a second. Wait, and repeat the call.": false,
		"Too many requests: at most 10 per minute":                                  false,
	} {
		s := &observation{Case: cases.Case{Arguments: json.RawMessage(`{"month":12}`), Allowed: true},
			input: json.RawMessage(`{"type":"object","properties":{"month":{"type":"integer","minimum":1,"maximum":12}}}`),
			Exchange: &mcp.Exchange{Reply: &mcp.Message{Result: json.RawMessage(
				`{"content":[{"type":"text","text":"` + text + `"}],"isError":true}`)}}}
		if b := keepsLimits(s); (b != nil) != want {
			t.Errorf("%s: %+v", text, b)
		}
	}
}

// A limit of something in a text is no limit of its length.
func TestUnitsOfLimits(t *testing.T) {
	for _, c := range []struct {
		value, text string
		want        bool
	}{
		{`"aaaaaaaaaaaaaa"`, "Expected two integers of at most 12 digits", false},
		{`"aaaaaaaaaaaaaa"`, "Expected at most 3 words", false},
		{`"aaaaaaaaaaaaaa"`, "Expected at most 10 characters, got 14", true},
		{`"aaaaaaaaaaaaaa"`, "The length must be at most 10.", true},
		{`14`, "must be at most 10", true},
		{`14`, "must be between 1 and 10, got 14", true},
		{`14`, "at most 10 characters", false},
		{`[1,2,3,4]`, "at most 2 items", true},
		{`[1,2,3,4]`, "at most 2 characters", false},
	} {
		s := &observation{Case: cases.Case{Arguments: json.RawMessage(`{"x":` + c.value + `}`), Allowed: true},
			input: json.RawMessage(`{"type":"object","properties":{"x":{"maximum":99,"maxLength":99,"maxItems":99}}}`),
			Exchange: &mcp.Exchange{Reply: &mcp.Message{Result: json.RawMessage(
				`{"content":[{"type":"text","text":"` + c.text + `"}],"isError":true}`)}}}
		if b := keepsLimits(s); (b != nil) != c.want {
			t.Errorf("%s, %s: %+v", c.value, c.text, b)
		}
	}
}
