package mcp

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/cputime"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

func read(body string) Message { return Read(wire.Frame{Body: []byte(body)}) }

// TestC3 reads what is not quite JSON-RPC and says what is wrong with it, and where.
func TestC3Read(t *testing.T) {
	for _, tt := range []struct {
		body string
		kind string // "request", "notification", "response" or ""
		odd  string // all oddities
	}{
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, "response", ""},
		{`{"jsonrpc":"2.0","id":1,"method":"m","params":[]}`, "request", ""},
		{`{"jsonrpc":"2.0","method":"m"}`, "notification", ""},
		{` {"jsonrpc":"2.0","method":"m"} `, "notification", ""},
		{"", "", "an empty message"},
		{" \t", "", "an empty message"},
		{"hello", "", `not JSON: "hello"`},
		{`"text"`, "", `not JSON: "\"text\""`},
		{"{}", "", "missing field jsonrpc; message has none of method, result and error"},
		{"[]", "", "a batch"},
		{"[INFO] ready", "", `not JSON: "[INFO] ready"`},
		{"[1/3] loading", "", `not JSON: "[1/3] loading"`},
		{`[{"jsonrpc":"2.0","method":"m"},`, "notification", "a batch; JSON that ends too early"},
		{`[1,{"jsonrpc":"2.0","method":"m"}]`, "", `a batch; a batch member that is not an object: "1"`},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"\xff\"}", "response", "invalid UTF-8 at byte 34"},
		{`{"jsonrpc":"2.0","id":1,"result":"\ud800"}`, "response", `invalid surrogate pair`},
		{"\ufeff{\"jsonrpc\":\"2.0\",\"method\":\"m\"}", "notification", "a byte order mark at byte 0"},
		{`{"jsonrpc":"2.0","id":1,"result":NaN}`, "",
			"invalid character 'N' at start of value at byte 33; message has none of method, result and error"},
		{`{"jsonrpc":"2.0","id":1,"result":[1,]}`, "", "at byte 36"},
		{`{"jsonrpc":"2.0","id":1,"result":{}}garbage`, "response",
			`7 bytes follow the message, at byte 36: "garbage"`},
		{`{"jsonrpc":"2.0","id":1,"result":{}`, "response", "JSON that ends too early, at byte 35"},
		{`{"jsonrpc":"2.0","id":7,"result":{"a`, "",
			"JSON that ends too early, at byte 36; message has none of method, result and error"},
		{`{"jsonrpc":"2.0","id":1,"id":2,"result":{}}`, "response", `duplicate key "id" at byte 24`},
		{`{"jsonrpc":"2.0","id":[1],"method":"m"}`, "request", "id is [1], expected a string or a number"},
		{`{"jsonrpc":"2.0","id":null,"method":"m"}`, "request", "a request with id null"},
		{`{"jsonrpc":"2.0","id":1,"method":5}`, "",
			"method is 5, expected a string; message has none of method, result and error"},
		{`{"jsonrpc":"2.0","id":1,"method":"m","result":1}`, "request", "method together with result or error"},
		{`{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":1}}`, "response",
			"error code is 1.5, expected an integer; error message is 1, expected a string"},
		{`{"jsonrpc":"2.0","id":1,"error":{}}`, "response",
			"error code is absent, expected an integer; error message is absent, expected a string"},
		{`{"jsonrpc":"2.0","id":1,"error":null,"result":1}`, "response",
			"error is null, expected the field to be absent"},
		{`{"jsonrpc":"1.0","METHOD":"x","method":"m"}`, "notification",
			`jsonrpc is "1.0", expected "2.0"; field "METHOD" resembles "method"`},
		{`{"jsonrpc":"2.0","paramſ":1,"method":"m"}`, "notification", `field "paramſ" resembles "params"`},
		{`{"jsonrpc":"2.0","method":"a"}{"jsonrpc":"2.0","method":"b"}`, "notification",
			"more than one message in a frame"},
	} {
		m := read(tt.body)
		kind := ""
		switch {
		case m.IsRequest():
			kind = "request"
		case m.IsNotification():
			kind = "notification"
		case m.IsResponse():
			kind = "response"
		}
		odd := strings.Join(m.Odd, "; ")
		if kind != tt.kind || !strings.Contains(odd, tt.odd) || (tt.odd == "") != (odd == "") {
			t.Errorf("Read(%q) is %q with %q; want %q with %q", tt.body, kind, odd, tt.kind, tt.odd)
		}
	}
}

func TestReadManyMessages(t *testing.T) {
	one := `{"jsonrpc":"2.0","method":"m"}`
	for body, want := range map[string]int{
		one: 0, one + one: 1, one + " " + one + "\t" + one: 2, "[" + one + "," + one + "]": 1,
		strings.Repeat(one, 5000): maxMessages - 1, "[" + strings.Repeat(one+",", 4999) + one + "]": maxMessages - 1,
	} {
		m := read(body)
		if len(m.Rest) != want || m.Method != "m" ||
			slices.ContainsFunc(m.Rest, func(r Message) bool { return r.Method != "m" || r.Rest != nil }) {
			t.Errorf("Read(%.80s…) has %d more messages, want %d", body, len(m.Rest), want)
		}
	}
}

// TestC4 reads bombs within time and memory.
func TestC4Bombs(t *testing.T) {
	nest := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	wrap := func(result string) string { return `{"jsonrpc":"2.0","id":1,"result":` + result + `}` }
	keys := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `"key%d":%d,`, i, i)
		}
		return "{" + b.String() + `"z":0}`
	}
	for _, tt := range []struct{ name, body, odd string }{
		{"depth 64", wrap(nest(63)), ""},
		{"depth 65", wrap(nest(64)), "nested 65 levels deep"},
		{"depth 10k", wrap(nest(10_000)), "levels deep"},
		{"depth 4M", wrap(nest(4_000_000)), "levels deep"},
		{"open 4M", wrap(strings.Repeat("[", 4_000_000)), "max depth"},
		{"4 MiB of objects", strings.Repeat("{}", 2<<20), "more than 1000 messages"},
		{"4 MiB of batch", "[" + strings.Repeat("{},", 1<<20) + "{}]", "a batch of more than 1000"},
		{"1M keys", wrap(keys(300_000)), ""},
		{"1M strings", wrap("[" + strings.Repeat(`"",`, 1<<20) + `""]`), ""},
		{"4 MiB of braces", strings.Repeat("{", 4<<20), ""},
		{"4 MiB of quotes", strings.Repeat(`{"`, 2<<20), ""},
	} {
		most := 250 * time.Millisecond
		if raceDetector {
			most *= 10
		}
		var before, after runtime.MemStats
		var m Message
		took := time.Hour
		for try := 0; try < 5 || took > most && try < 25; try++ {
			// the best of several: others tell what else the machine did
			runtime.ReadMemStats(&before)
			start := cputime.Used()
			m = read(tt.body)
			took = min(took, cputime.Used()-start)
			runtime.ReadMemStats(&after)
		}
		if odd := strings.Join(m.Odd, "; "); !strings.Contains(odd, tt.odd) {
			t.Errorf("%s: %q, want %q", tt.name, odd, tt.odd)
		}
		if took > most || after.TotalAlloc-before.TotalAlloc > 64<<20 {
			t.Errorf("%s took %v and %d MiB, want 250ms and 64 MiB", tt.name, took,
				(after.TotalAlloc-before.TotalAlloc)>>20)
		}
	}
}

// A partialMessage of hostile lines costs no more than reading them once.
func TestC4Patchwork(t *testing.T) {
	s := &Session{}
	start := cputime.Used()
	for _, line := range []string{`{request}`, `{"a":`, `{`, `}`, `"x"`, `]}`} {
		for range 20_000 {
			m := s.assemble(Read(wire.Frame{Stream: "stdio", Body: []byte(line)}))
			if m.IsResponse() {
				t.Fatal("made a message of noise")
			}
		}
	}
	most := 3 * time.Second
	if raceDetector {
		most *= 10
	}
	if took := cputime.Used() - start; took > most || cap(s.partial.text) > 4*maxAssembled {
		t.Errorf("took %v of the processor, expected at most %v; holds %d bytes", took, most, cap(s.partial.text))
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{`{"jsonrpc":"2.0","id":1,"result":{}}`, `[{"id":1},2]`, "\ufeff{}{}x",
		`{"error":{"code":1,"data":[]},"id":"\ud800"}`, "{\"a\":\xff", "{{{", "\r"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		given := bytes.Clone(body)
		m := Read(wire.Frame{Body: body})
		for _, part := range [][]byte{m.ID, m.Params, m.Result} {
			if !bytes.Contains(body, part) {
				t.Fatalf("%q is no part of %q", part, body)
			}
		}
		if !bytes.Equal(body, given) {
			t.Fatal("Read changed the frame")
		}
		if len(m.Rest) >= maxMessages {
			t.Fatalf("%d messages", len(m.Rest))
		}
	})
}

func FuzzMembers(f *testing.F) {
	f.Add([]byte(`{"a":1,"_meta":{"x":2}}`), "a")
	f.Add([]byte(` { "\u0061" : "\\" } `), "a")
	f.Add([]byte(`[`), "")
	f.Fuzz(func(t *testing.T, object []byte, key string) {
		given := string(object)
		value, found := member(object, key)
		if found && !bytes.Contains(object, value) {
			t.Fatalf("%q is no part of %q", value, object)
		}
		added := withMember(object, "~", raw(`1`))
		withMeta(object, raw(`{"b":2}`))
		if string(object) != given {
			t.Fatal("the object was changed")
		}
		keys, _, err := membersOf(object)
		if err != nil || slices.Contains(keys, "~") {
			return
		}
		if one, ok := member(added, "~"); !ok || string(one) != "1" {
			t.Fatalf("added to %q: %q", object, added)
		}
	})
}
