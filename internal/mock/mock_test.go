package mock_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcptest-dev/mcptest/internal/demo"
	"github.com/mcptest-dev/mcptest/internal/mock"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/recording"
)

// requests are what the client of the tests sends.
var requests = []struct{ method, params string }{
	{"tools/list", `{}`}, {"resources/list", `{}`}, {"prompts/list", `{}`},
	{"tools/call", `{"name":"echo","arguments":{"message":"hello"}}`},
	{"tools/call", `{"name":"ask_user","arguments":{"question":"Which color?"}}`},
	{"tools/call", `{"name":"ask_model","arguments":{"prompt":"Say something"}}`},
	{"tools/call", `{"name":"list_roots","arguments":{}}`},
	{"tools/call", `{"name":"wait","arguments":{"milliseconds":30,"steps":3}}`},
	{"tools/call", `{"name":"fail","arguments":{"reason":"no tea"}}`},
	{"tools/call", `{"name":"nosuch","arguments":{}}`},
}

// walk sends the requests and returns a line for each response, progress notification and request of the server.
func walk(t *testing.T, target wire.Target, protocol string, log *wire.Transcript) []string {
	t.Helper()
	var mu sync.Mutex
	var lines []string
	add := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		lines = append(lines, fmt.Sprintf(format, args...))
	}
	answer := func(reply string) func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return func(_ context.Context, params json.RawMessage) (json.RawMessage, error) {
			add("asked %s", recording.Canonical(params))
			return json.RawMessage(reply), nil
		}
	}
	s, err := mcp.Connect(t.Context(), target, log, &mcp.Options{Protocol: protocol,
		Elicitation: answer(`{"action":"accept","content":{"answer":"blue"}}`),
		Sampling:    answer(`{"role":"assistant","content":{"type":"text","text":"hm"},"model":"m"}`),
		Roots: func(context.Context) (json.RawMessage, error) {
			return json.RawMessage(`{"roots":[{"uri":"file:///tmp"}]}`), nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, q := range requests {
		ex, err := s.Do(t.Context(), mcp.Request{Method: q.method, Params: json.RawMessage(q.params), Alone: true,
			OnProgress: func(p mcp.Progress) { add("progress %v of %v", p.Done, p.Total) }})
		if err != nil {
			t.Fatalf("%s: %v", q.params, err)
		}
		between := serve.Boundary{Client: spec.Legacy, Server: s.Era}
		if ex.Reply.Error != nil {
			add("error %v", between.Failure(q.method, ex.Reply.Error))
			continue
		}
		add("%s: %s", q.method, between.Result(q.method, ex.Reply.Result))
	}
	return lines
}

// A recording of either era serves clients of both.
func TestBothErasFromOneRecording(t *testing.T) {
	eras := []string{spec.NewestLegacy, spec.NewestModern}
	for _, recorded := range eras {
		var file bytes.Buffer
		log := wire.NewTranscript(&wire.TranscriptOptions{Out: &file})
		want := walk(t, wire.Target{Serve: demo.All()[0].Serve}, recorded, log)
		if text := strings.Join(want, "\n"); strings.Count(text, "asked ") != 2 || !strings.Contains(text, "progress 3") {
			t.Fatalf("the recorded run lacks requests or progress:\n%s", text)
		}
		session, err := recording.Read(&file)
		if err != nil {
			t.Fatal(err)
		}
		for _, protocol := range eras {
			t.Run(recorded+" to "+protocol, func(t *testing.T) {
				server := mock.New(mock.Options{Session: session, Log: func(line string) { t.Error(line) }})
				defer server.Close()
				target := wire.Target{Serve: serve.NewEndpoint(server, nil).ServeLines}
				got := walk(t, target, protocol, nil)
				if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); a != b {
					t.Errorf("got:\n%s\nwant:\n%s", a, b)
				}
			})
		}
	}
}

const handshake = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
	`"capabilities":{},"clientInfo":{"name":"c","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

// session returns the recording of a conversation: lines of the client begin with ">", of the server with "<".
func session(t *testing.T, talk string) *recording.Session {
	t.Helper()
	var file bytes.Buffer
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i, line := range strings.Split(strings.TrimSpace(talk), "\n") {
		from := wire.Client
		if line[0] == '<' {
			from = wire.Server
		}
		f := wire.Frame{Seq: i + 1, Time: at.Add(time.Duration(i) * time.Second), From: from, Conn: 1, Stream: "stdio",
			Body: []byte(strings.TrimSpace(line[1:]))}
		text, err := wire.RecordLine(f)
		if err != nil {
			t.Fatal(err)
		}
		file.Write(text)
	}
	s, err := recording.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// exchange sends lines to a mock and returns what it writes.
func exchange(t *testing.T, o mock.Options, lines string) string {
	t.Helper()
	server := mock.New(o)
	defer server.Close()
	var out bytes.Buffer
	if err := serve.NewEndpoint(server, nil).ServeLines(t.Context(), strings.NewReader(lines), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

const counter = `
> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
< {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"count","inputSchema":{"type":"object","properties":{"by":{"type":"integer"}}},"outputSchema":{"type":"object","properties":{"n":{"type":"integer","minimum":7}},"required":["n"]}}]}}
> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"count","arguments":{"by":1,"token":"[redacted]"}}}
< {"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"n":1}}}
> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"count","arguments":{"by":1,"token":"[redacted]"}}}
< {"jsonrpc":"2.0","id":3,"result":{"content":[],"structuredContent":{"n":2}}}
< {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
`

func call(id int, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"count","arguments":%s}}`+"\n",
		id, arguments)
}

func TestSequence(t *testing.T) {
	var log []string
	out := ""
	o := mock.Options{Session: session(t, counter), Log: func(line string) { log = append(log, line) }}
	server := mock.New(o)
	defer server.Close()
	target := wire.Target{Serve: serve.NewEndpoint(server, nil).ServeLines}
	s, err := mcp.Connect(t.Context(), target, nil, &mcp.Options{Protocol: spec.NewestLegacy})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for range 4 { // a redacted value matches any, and the order of names has no meaning
		ex, err := s.Call(t.Context(), "tools/call",
			json.RawMessage(`{"arguments":{"token":"secret","by":1},"name":"count"}`))
		if err != nil {
			t.Fatal(err)
		}
		out += string(ex.Reply.Result)
	}
	want := `{"content":[],"structuredContent":{"n":1}}` + strings.Repeat(`{"content":[],"structuredContent":{"n":2}}`, 3)
	if out != want {
		t.Errorf("got %s\nwant %s", out, want)
	}
	if len(log) != 1 || !strings.Contains(log[0], "all 2 recorded responses") {
		t.Errorf("log: %q", log)
	}
}

func TestEventFollowsItsExchange(t *testing.T) {
	out := exchange(t, mock.Options{Session: session(t, counter)},
		handshake+call(1, `{"by":1,"token":"a"}`)+call(2, `{"by":1,"token":"a"}`))
	if got := strings.Count(out, "list_changed"); got != 1 {
		t.Errorf("%d notifications, want 1:\n%s", got, out)
	}
}

func TestUnknownCall(t *testing.T) {
	o := mock.Options{Session: session(t, counter)}
	var log []string
	o.Log = func(line string) { log = append(log, line) }
	out := exchange(t, o, handshake+call(7, `{"by":5}`))
	for _, part := range []string{`"id":7,"error"`, `tools/call \"count\": no recorded response`, `2 similar requests`} {
		if !strings.Contains(out, part) {
			t.Errorf("no %q in %s", part, out)
		}
	}
	if len(log) != 1 || !strings.Contains(log[0], `tools/call "count"`) {
		t.Errorf("log: %q", log)
	}
	o.Sample = true
	if out := exchange(t, o, handshake+call(7, `{"by":5}`)); !strings.Contains(out, `"structuredContent":{"n":7}`) {
		t.Errorf("no sample in %s", out)
	}
	if out := exchange(t, o, handshake+call(7, `{"by":"x"}`)); !strings.Contains(out, `-32602,"message":"invalid arg`) {
		t.Errorf("invalid arguments: %s", out)
	}
}

func TestUpstream(t *testing.T) {
	o := mock.Options{Session: session(t, counter), Upstream: func(ctx context.Context) (*mcp.Session, error) {
		return mcp.Connect(ctx, wire.Target{Serve: demo.All()[0].Serve}, nil, nil)
	}}
	out := exchange(t, o, handshake+strings.Replace(call(7, `{"message":"live"}`), "count", "echo", 1))
	if !strings.Contains(out, `"text":"live"`) || strings.Contains(out, "resultType") {
		t.Errorf("got %s", out)
	}
}

func TestRecordedSpeed(t *testing.T) {
	for _, recorded := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			server := mock.New(mock.Options{Session: session(t, counter), Recorded: recorded})
			defer server.Close()
			target := wire.Target{Serve: serve.NewEndpoint(server, nil).ServeLines}
			s, err := mcp.Connect(t.Context(), target, nil, &mcp.Options{Protocol: spec.NewestLegacy})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			start := time.Now()
			if _, err := s.Call(t.Context(), "tools/list", nil); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(start); recorded != (took == time.Second) {
				t.Errorf("recorded speed %v: took %v", recorded, took)
			}
		})
	}
}
