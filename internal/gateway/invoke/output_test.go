package invoke

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

func TestCheckOutput(t *testing.T) {
	const number = `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`
	for _, c := range []struct{ returns, result, want string }{
		{number, `{"structuredContent":{"n":1}}`, ""},
		{number, `{"structuredContent":{"n":"x"}}`, "n (type)"},
		{number, `{"structuredContent":{}}`, "(required)"},
		{number, `{"content":[]}`, "structuredContent (required)"},
		{number, `{"isError":true,"content":[]}`, ""},
		{number, `{"isError":false,"content":[]}`, "structuredContent (required)"},
		{number, `{"task":{"taskId":"1"}}`, ""},
		{number, `{"resultType":"inputRequired"}`, ""},
		{number, `{"resultType":"complete","structuredContent":{}}`, "(required)"},
		{number, `[]`, ""},
		{"", `{"content":[]}`, ""},
		{"null", `{"content":[]}`, ""},
		{`{"type":7}`, `{"structuredContent":{"n":"x"}}`, ""},
	} {
		v := &Invoker{}
		err := v.CheckOutput(&catalog.Tool{Name: "sum", Returns: json.RawMessage(c.returns)}, json.RawMessage(c.result))
		var output *OutputError
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s against %q: %v, expected no error", c.result, c.returns, err)
		case c.want != "" && (!errors.As(err, &output) || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s against %q: %v, expected %s", c.result, c.returns, err, c.want)
		}
	}
}

// The text of an error lists a limited number of violations and none of the values.
func TestOutputErrorText(t *testing.T) {
	e := &OutputError{Tool: "sum", Errors: []schema.Violation{{Rule: "type", Received: "secret"}}}
	if got := e.Error(); got != "the result of sum violates its output schema: the whole result (type)" {
		t.Error(got)
	}
	for i := range 12 {
		e.Errors = append(e.Errors, schema.Violation{Path: fmt.Sprintf("/p%d", i), Rule: "type"})
	}
	if got := e.Error(); !strings.Contains(got, "p8 (type)") || strings.Contains(got, "p9 ") ||
		!strings.HasSuffix(got, ", and 3 more") {
		t.Error(got)
	}
	if e.Errors = e.Errors[:10]; strings.Contains(e.Error(), "more") {
		t.Error(e.Error())
	}
}

func TestScrubJSON(t *testing.T) {
	const secret = "ghp_0123456789abcdefghijklmnop"
	v := &Invoker{}
	for doc, want := range map[string]string{
		`{"a":"` + secret + `","n":1.0,"b":"plain"}`:     `{"a":"[redacted]","n":1.0,"b":"plain"}`,
		`{ "a" : [ "` + secret + `", {"c":"x"} ] }`:      `{ "a" : [ "[redacted]", {"c":"x"} ] }`,
		`{"` + secret + `":"x"}`:                         `{"` + secret + `":"x"}`,
		`{"data":"` + secret + `","x":"` + secret + `"}`: `{"data":"` + secret + `","x":"[redacted]"}`,
		`{"blob":"` + secret + `"}`:                      `{"blob":"` + secret + `"}`,
		`{"a":"plain","a":"` + secret + `"}`:             `{"a":"plain","a":"[redacted]"}`,
		`"` + secret + `"`:                               `"[redacted]"`,
		`["x","` + secret + `"]`:                         `["x","[redacted]"]`,
		`{}`:                                             `{}`,
		``:                                               ``,
	} {
		if got := string(v.ScrubJSON(json.RawMessage(doc))); got != want {
			t.Errorf("%s becomes %s, expected %s", doc, got, want)
		}
	}
	result := json.RawMessage(`{"content":[{"text":"` + secret + `"}]}`)
	if got := v.Outgoing(result); string(got) != string(result) {
		t.Errorf("without the policy: %s", got)
	}
	fault := &mcp.RPCError{Code: 7, Message: "bad " + secret, Data: json.RawMessage(`"` + secret + `"`)}
	if got := v.OutgoingError(fault); got != fault {
		t.Errorf("without the policy: %+v", got)
	}
	v.RedactResults = true
	if got := string(v.Outgoing(result)); strings.Contains(got, secret) || !strings.Contains(got, "[redacted]") {
		t.Errorf("with the policy: %s", got)
	}
	if got := v.OutgoingError(fault); got.Code != 7 || got.Message != "bad [redacted]" ||
		string(got.Data) != `"[redacted]"` {
		t.Errorf("with the policy: %+v", got)
	}
	if v.Outgoing(nil) != nil {
		t.Error("no result became one")
	}
}

func TestFailureText(t *testing.T) {
	for result, want := range map[string]string{
		`{"content":[{"type":"text","text":"broken"}]}`:                 "broken",
		`{"content":[{"type":"image"},{"type":"text","text":"later"}]}`: "later",
		`{"content":[]}`: "the tool returned an error without a text",
		`{"content":7}`:  "the tool returned an error without a text",
	} {
		if got := FailureText(json.RawMessage(result)); got != want {
			t.Errorf("%s: %q, expected %q", result, got, want)
		}
	}
}

func TestShape(t *testing.T) {
	many := make([]string, 21)
	for i := range many {
		many[i] = fmt.Sprintf(`"k%02d":%d`, i, i%10)
	}
	for arguments, want := range map[string]string{
		`{"to":"ada","n":1,"list":[],"o":{},"b":true,"z":null}`: "b:boolean(4) list:array(2) n:number(1) o:object(2) " +
			"to:string(5) z:null(4)",
		`{"ghp_0123456789abcdefghijklmnop":1}`:   "…:number(1)",
		`{"` + strings.Repeat("k", 41) + `":1}`:  "…:number(1)",
		`{"` + strings.Repeat("k", 40) + `":1}`:  strings.Repeat("k", 40) + ":number(1)",
		`{"name with spaces":1}`:                 "name with spaces:number(1)",
		`not json`:                               "8 bytes",
		`{` + strings.Join(many[:20], ",") + `}`: "",
		`{` + strings.Join(many, ",") + `}`:      "and 1 more",
	} {
		got := Shape(json.RawMessage(arguments))
		switch {
		case want == "" && strings.Contains(got, "more"),
			want == "and 1 more" && !strings.HasSuffix(got, " and 1 more"),
			want != "" && want != "and 1 more" && got != want:
			t.Errorf("%.60s: %q, expected %q", arguments, got, want)
		}
	}
}

// plain decides which names need no closer check for secrets: short ones of letters, digits and underscores.
func TestPlain(t *testing.T) {
	for name, want := range map[string]bool{
		"": true, "az": true, "AZ": true, "09": true, "a_b": true, "a-b": false, "a b": false, "é": false, "a/": false,
		"a:": false, "a@": false, "a[": false, "a`": false, "a{": false, strings.Repeat("a", 15): true,
		strings.Repeat("a", 16): false,
	} {
		if got := plain(name); got != want {
			t.Errorf("plain(%q) = %v, expected %v", name, got, want)
		}
	}
}

func TestRunnable(t *testing.T) {
	v := &Invoker{Funcs: map[string]Func{"echo": echo}, Hosts: []string{"api.example.com"}}
	object := json.RawMessage(`{"type":"object"}`)
	for want, tool := range map[string]*catalog.Tool{
		"":                            {Parameters: object, Run: catalog.Run{Func: "echo"}},
		`unknown function "missing"`:  {Parameters: object, Run: catalog.Run{Func: "missing"}},
		"missing run field":           {Parameters: object},
		"cannot check its parameters": {Parameters: json.RawMessage(`{"type":7}`), Run: catalog.Run{Func: "echo"}},
		`unknown validator "missing"`: {Validators: []catalog.Validator{{Name: "missing"}},
			Run: catalog.Run{Func: "echo"}},
		"evil.example": {Run: catalog.Run{HTTP: &catalog.HTTPRun{URL: "https://evil.example/x"}}},
	} {
		err := v.Runnable(tool)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, expected %q", tool.Run, err, want)
		}
	}
	for _, tool := range []*catalog.Tool{
		{Run: catalog.Run{Func: "echo"}},
		{Validators: []catalog.Validator{{Expression: ".a"}}, Run: catalog.Run{Func: "echo"}},
		{Run: catalog.Run{HTTP: &catalog.HTTPRun{URL: "https://api.example.com/x"}}},
	} {
		if err := v.Runnable(tool); err != nil {
			t.Errorf("%+v: %v, expected no error", tool.Run, err)
		}
	}
}

func TestResultOf(t *testing.T) {
	for value, want := range map[string]string{
		`{"a":1}`:  `{"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1}}`,
		` {"a":1}`: `{"content":[{"type":"text","text":" {\"a\":1}"}],"structuredContent": {"a":1}}`,
		`"plain"`:  `{"content":[{"type":"text","text":"plain"}]}`,
		`[1]`:      `{"content":[{"type":"text","text":"[1]"}]}`,
	} {
		if got, err := resultOf(json.RawMessage(value)); string(got) != want || err != nil {
			t.Errorf("%s: %s (%v), expected %s", value, got, err, want)
		}
	}
	if _, err := resultOf(json.RawMessage(`{`)); err == nil {
		t.Error("invalid JSON became a result")
	}
}
