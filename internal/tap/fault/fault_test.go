package fault

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/document"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

func TestParse(t *testing.T) {
	for spec, want := range map[string]Rule{
		"tools/call:20%:delay=5s": {Method: "tools/call", From: wire.Server, Percent: 20, Kind: Delay, Value: "5s",
			duration: 5 * time.Second},
		"tools/call:tool=echo:#3:from=client:drop": {Method: "tools/call", Tool: "echo", From: wire.Client, Nth: 3,
			Kind: Drop},
		"*:error":                {Method: "*", From: wire.Server, Kind: Error, Value: "-32603", number: -32603},
		"tools/*:oversize=2KiB":  {Method: "tools/*", From: wire.Server, Kind: Oversize, Value: "2KiB", number: 2048},
		"initialize:http=503":    {Method: "initialize", From: wire.Client, Kind: HTTPStatus, Value: "503", number: 503},
		"tools/list:0.5%:cut":    {Method: "tools/list", From: wire.Server, Percent: 0.5, Kind: Cut},
		"x:expired-session":      {Method: "x", From: wire.Client, Kind: ExpiredSession},
		"x:stderr-flood=100000B": {Method: "x", From: wire.Server, Kind: StderrFlood, Value: "100000B", number: 100000},
	} {
		got, err := Parse(spec)
		if want.Text = spec; err != nil || *got != want {
			t.Errorf("Parse(%q) = %+v, %v, want %+v", spec, got, err, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for spec, want := range map[string]struct {
		column int
		text   string
		kinds  bool
	}{
		"tools/call":                     {11, "expected METHOD:KIND", true},
		":drop":                          {1, "expected a method", false},
		"tools/call:20%:dealy=5s":        {16, `unknown fault "dealy"; did you mean delay?`, true},
		"tools/call:120%:drop":           {12, "percentage above 0% and up to 100%", false},
		"tools/call:#0:drop":             {12, "number from 1", false},
		"tools/call:sometimes:drop":      {12, `unknown selector "sometimes"`, false},
		"tools/call:from=me:drop":        {12, "expected client or server", false},
		"tools/call:delay=soon":          {12, "invalid duration", false},
		"tools/call:delay=":              {18, "expected a value", false},
		"tools/call:drop=1":              {12, "drop has no value", false},
		"tools/call:http=200":            {12, "expected 401, 404, 429, 500 or 503", false},
		"tools/call:oversize=9999MiB":    {12, "at most 256MiB", false},
		"tools/call:5%:#2:drop":          {18, "mutually exclusive", false},
		"tools/call:from=server:http":    {24, "only to messages from the client", false},
		"tools/call:error=notanumber":    {12, "expected an integer", false},
		"tools/call:from=client:cut-sse": {24, "only to messages from the server", false},
	} {
		_, err := Parse(spec)
		var got *SpecError
		if !errors.As(err, &got) || got.Column != want.column || !strings.Contains(got.Message, want.text) ||
			got.Kinds != want.kinds {
			t.Errorf("Parse(%q) = %+v, want column %d and %q", spec, err, want.column, want.text)
		}
	}
}

func TestReadPlan(t *testing.T) {
	plan, err := ReadPlan("plan.yaml", []byte(`
seed: 7
faults:
  - tools/call:20%:delay=5s
  - {method: tools/call, tool: "a:b", from: client, nth: 2, fault: drop}
  - {method: "*", probability: 5%, fault: error, value: -32000}
`))
	if err != nil || plan.Seed != 7 || len(plan.Rules) != 3 {
		t.Fatalf("plan %+v, %v", plan, err)
	}
	second := *plan.Rules[1]
	if second.Text = ""; second != (Rule{Method: "tools/call", Tool: "a:b", From: wire.Client, Nth: 2, Kind: Drop}) {
		t.Errorf("second rule %+v", second)
	}
	if third := plan.Rules[2]; third.Percent != 5 || third.number != -32000 || third.Text != "*:5%:error=-32000" {
		t.Errorf("third rule %+v", third)
	}
}

func TestReadPlanErrors(t *testing.T) {
	for text, want := range map[string]string{
		"faults: [tools/call:nosuch]":                    `plan.yaml:1:10: invalid fault "tools/call:nosuch", column 12`,
		"faults:\n- {method: x, fault: dely}":            `plan.yaml:2:22: unknown fault "dely"; did you mean delay?`,
		"faults:\n- {method: x, fault: drop, nth: 0}":    "plan.yaml:2:33: invalid occurrence 0",
		"faults:\n- {method: x, fault: delay, value: x}": "plan.yaml:2:36: invalid duration",
		"faults:\n- {method: x, fault: drop, when: now}": `plan.yaml:2:28: unknown key "when"`,
		"seed: 1":       "faults is missing",
		"faults: [[1]]": "expected a fault such as",
	} {
		_, err := ReadPlan("plan.yaml", []byte(text))
		var problems document.Problems
		if !errors.As(err, &problems) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n got %v\nwant %s", text, err, want)
		}
	}
}

func TestCheckTransport(t *testing.T) {
	only := map[Transport][]Kind{Stdio: {StderrFlood, Exit}, HTTP: {HTTPStatus, CutSSE, ExpiredSession}}
	for _, k := range Kinds {
		rule, err := Parse("tools/call:" + string(k.Kind))
		if err != nil {
			t.Fatal(err)
		}
		for over, kinds := range map[Transport][]Kind{Stdio: only[HTTP], HTTP: only[Stdio]} {
			err := (&Plan{Rules: []*Rule{rule}}).Check(over)
			if rejected := slices.Contains(kinds, k.Kind); rejected != (err != nil) {
				t.Errorf("%s over %s: %v", k.Kind, over, err)
			}
		}
	}
	rule, _ := Parse("tools/call:http=500")
	if err := (&Plan{Rules: []*Rule{rule}}).Check(Stdio); !strings.Contains(err.Error(), "stdio has no HTTP statuses") {
		t.Errorf("got %v, want the reason", err)
	}
}

// chosen returns which of 1,000 messages a rule selects.
func chosen(t *testing.T, seed uint64, spec string) (all []int) {
	t.Helper()
	rule, err := Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	s := NewSelector(&Plan{Seed: seed, Rules: []*Rule{rule}})
	for i := range 1000 {
		request := mcp.Read(wire.Frame{Body: fmt.Appendf(nil,
			`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t%d"}}`, i, i%2)})
		response := mcp.Read(wire.Frame{Body: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":{}}`, i)})
		if r, _ := s.Select(HeadOf(&request), wire.Client, "", false); r != nil {
			all = append(all, i)
		}
		if r, injected := s.Select(HeadOf(&response), wire.Server, "", false); r != nil {
			if injected.Method != "tools/call" || injected.Tool != fmt.Sprintf("t%d", i%2) {
				t.Errorf("injection %+v", injected)
			}
			all = append(all, i)
		}
	}
	return all
}

// The same seed selects the same messages, another seed others.
func TestSeed(t *testing.T) {
	first := chosen(t, 1, "tools/call:20%:drop")
	if n := len(first); n < 150 || n > 250 {
		t.Errorf("%d of 1,000 messages selected, want about 200", n)
	}
	if !slices.Equal(first, chosen(t, 1, "tools/call:20%:drop")) {
		t.Error("the same seed selects other messages")
	}
	if slices.Equal(first, chosen(t, 2, "tools/call:20%:drop")) {
		t.Error("another seed selects the same messages")
	}
}

func TestSelect(t *testing.T) {
	for spec, want := range map[string]int{
		"tools/call:drop": 1000, "tools/*:drop": 1000, "*:drop": 1000, "tools/list:drop": 0, "tools/call:#5:drop": 1,
		"tools/call:tool=t1:drop": 500, "tools/call:tool=t2:drop": 0, "tools/call:from=client:drop": 1000,
		"tools/call:cut-sse": 0,
	} {
		if got := len(chosen(t, 1, spec)); got != want {
			t.Errorf("%s selects %d messages, want %d", spec, got, want)
		}
	}
	if got := chosen(t, 1, "tools/call:tool=t1:#5:drop"); !slices.Equal(got, []int{9}) {
		t.Errorf("the fifth call of t1 is %v, want 9", got)
	}
}

func TestChanged(t *testing.T) {
	body := []byte(`{"jsonrpc":"2.0","id":7,"result":{"text":"a \"b\"","kind":"x","n":1.0}}`)
	m := mcp.Read(wire.Frame{Body: body})
	for spec, check := range map[string]func([]byte) bool{
		"x:error=-32001": func(b []byte) bool { return bytes.Contains(b, []byte(`"id":7,"error":{"code":-32001`)) },
		"x:wrong-id": func(b []byte) bool {
			return bytes.Contains(b, []byte(`"id":"mcptest-wrong-id","result":{"text"`))
		},
		"x:garbage": func(b []byte) bool { return !json.Valid(b) },
		"x:cut":     func(b []byte) bool { return bytes.Equal(b, body[:len(body)/2]) },
		"x:oversize=100000": func(b []byte) bool {
			return len(b) == 100000 && json.Valid(b)
		},
		"x:invalid-utf8": func(b []byte) bool {
			return !utf8.Valid(b) && bytes.Contains(b, []byte("\"a \\\"b\\\"\xff\xc3\x28\""))
		},
	} {
		rule, err := Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		if got := rule.Changed(body, &m); !check(got) {
			t.Errorf("%s: %.200s", spec, got)
		}
	}
}

// The documentation lists every kind with its description and default.
func TestDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "tap.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range Kinds {
		row := regexp.MustCompile(fmt.Sprintf("(?m)^\\| `%s(=[A-Z]+)?` \\| %s \\| %s ?\\| ", k.Kind, regexp.QuoteMeta(k.Doc),
			regexp.QuoteMeta(k.Default)))
		if !row.Match(page) {
			t.Errorf("docs/tap.md has no row %s", row)
		}
	}
}
