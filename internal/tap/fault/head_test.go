package fault

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// headMessages are messages in the orders of members and the spellings that clients and servers use, and odd ones.
var headMessages = []string{
	`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"name":"other"}}}`,
	`{"method":"tools/call","params":{"arguments":{"name":"\"other\\"},"name":"echo"},"jsonrpc":"2.0","id":"a\"b"}`,
	`{"method":"tools/call","params":{"name":"echo","_meta":{"x":[1,{"y":"}"}]}},"jsonrpc":"2.0","id":7}`,
	`{"params":{"name":"echo"},"method":"tools/call","id":1}`,
	`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`,
	`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`,
	` { "jsonrpc" : "2.0" , "id" : 12 , "method" : "ping" } `,
	`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"id"}}`,
	`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"method"}]}}`,
	`{"result":{"content":[]},"jsonrpc":"2.0","id":1}`,
	`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}`,
	`{"error":{"code":1},"id":-1.5e3}`,
	`{"jsonrpc":"2.0","id":{"a":"}"},"method":"x"}`,
	`{"jsonrpc":"2.0","id":"\u0031","m\u0065thod":"tools/call","params":{"n\u0061me":"echo"}}`,
	`{"jsonrpc":"2.0","id":1,"method":"tools\/call","params":{"name":"e\u0063ho"}}`,
	`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`,
	`{"jsonrpc":"2.0","id":1,"method":""}`,
	`{"jsonrpc":"2.0","id":1}`,
	`{}`, `[]`, `"x"`, ``, `  `, `{`, `{"`, `not JSON {`, "\ufeff{}",
}

// What the beginning of a message shows is what a parser reads from the whole of it.
func TestReadHead(t *testing.T) {
	for _, text := range headMessages {
		m := mcp.Read(wire.Frame{Body: []byte(text)})
		want := HeadOf(&m)
		for n := range len(text) + 1 {
			got, known := readHead([]byte(text[:n]))
			if known && !cmp.Equal(got, want) {
				t.Errorf("%s of %s is read as %+v, want %+v", text[:n], text, got, want)
			}
			if got.Method != "" && got.Method != want.Method {
				t.Errorf("%s of %s has the method %q, want %q", text[:n], text, got.Method, want.Method)
			}
		}
		if _, known := readHead([]byte(text)); !known && want.isRequest() && !strings.Contains(text, `\u00`) &&
			!strings.Contains(text, `\/`) && text[0] != '[' && !strings.HasPrefix(text, `{"params"`) {
			t.Errorf("the head of %s is not known", text)
		}
	}
}

// The decision about a message is the same whether it is made early or about the whole message, and an early one about
// a message that no rule is about does not depend on its length.
func TestEarly(t *testing.T) {
	for _, spec := range []string{"tools/call:drop", "tools/list:drop", "tools/call:tool=echo:#2:drop", "*:drop", "x:error",
		"tools/call:from=client:drop", "*:50%:drop", "*:error"} {
		rule, err := Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		early, whole := NewSelector(&Plan{Seed: 3, Rules: []*Rule{rule}}), NewSelector(&Plan{Seed: 3, Rules: []*Rule{rule}})
		for i := range 300 {
			text := []byte(headMessages[i*7%len(headMessages)])
			from := []wire.Side{wire.Client, wire.Server}[i%2]
			m := mcp.Read(wire.Frame{Body: text})
			want, _ := whole.Select(HeadOf(&m), from, "", false)
			got, _, known := early.Early(text, from)
			if !known {
				got, _ = early.Select(HeadOf(&m), from, "", false)
			}
			if got != want {
				t.Fatalf("%s: %v for message %d %s from the %s, want %v", spec, got, i, text, from, want)
			}
		}
	}
}

func TestEarlyBeginning(t *testing.T) {
	s := NewSelector(&Plan{Rules: []*Rule{{Method: "tools/list", From: wire.Server, Kind: Drop}}})
	for _, start := range []string{`{"method":"tools/call","params":{"x":"`, `{"jsonrpc":"2.0","id":1,"result":{"x":"`,
		`{"result":{"x":"`, `{"jsonrpc":"2.0","method":"notifications/message","params":[`} {
		if rule, _, known := s.Early([]byte(start), wire.Server); !known || rule != nil {
			t.Errorf("%s: %v, %v; no rule is about it", start, rule, known)
		}
	}
	request := `{"jsonrpc":"2.0","id":5,"method":"tools/list"}`
	if rule, _, known := s.Early([]byte(request), wire.Client); !known || rule != nil {
		t.Errorf("request: %v, %v", rule, known)
	}
	if _, _, known := s.Early([]byte(`{"result":{"x":"`), wire.Server); known {
		t.Error("a response that may be the one to tools/list is decided before its ID")
	}
	if rule, _, known := s.Early([]byte(`{"id":5,"result":{"x":"`), wire.Server); !known || rule == nil {
		t.Error("the response to tools/list has no fault")
	}
}

// Messages of others never get between the parts of a message.
func TestParts(t *testing.T) {
	var out bytes.Buffer
	l := NewLane(func(p []byte) error { out.Write(p); return nil }, Line)
	for i, step := range []func(){
		func() { _ = l.Part([]byte("a"), false) },
		func() { _ = l.Send([]byte("x\n")) },
		func() { _ = l.Part([]byte("b"), false) },
		func() { l.hold([]byte("y\n"), 0) },
		func() { _ = l.Part([]byte("c\n"), true) },
		l.Finish,
	} {
		step()
		if i < 4 && strings.ContainsAny(out.String(), "xy\n") {
			t.Errorf("after step %d: %q", i, out.String())
		}
	}
	if got := out.String(); got != "abc\nx\ny\n" {
		t.Errorf("written %q", got)
	}
}

// The cost of a message that no rule is about: go test -bench Early ./internal/tap/fault
func BenchmarkEarly(b *testing.B) {
	s := NewSelector(&Plan{Rules: []*Rule{{Method: "tools/list", From: wire.Server, Kind: Drop}}})
	for _, size := range []int{300, 60_000} {
		text := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"x":"%s"}}}`,
			strings.Repeat("x", size))
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.Early(text, wire.Client)
			}
		})
	}
}
