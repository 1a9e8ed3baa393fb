package mcp

import (
	"context"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
)

// exactServers are the ways on which arguments and results travel.
func exactServers(t *testing.T, rules func(extra string) string) map[string]wire.Target {
	web, sse := httptest.NewServer(wiretest.New(rules(""))), httptest.NewServer(wiretest.New(rules("sse\n\t")))
	t.Cleanup(web.Close)
	t.Cleanup(sse.Close)
	argv, env := wiretest.Command(rules(""))
	return map[string]wire.Target{
		"in process": {Serve: wiretest.New(rules("")).Serve},
		"stdio":      {Command: argv, Env: env},
		"HTTP JSON":  {URL: web.URL},
		"HTTP SSE":   {URL: sse.URL},
	}
}

// TestC1 sends every value and gets it back: the bytes that leave are those that were given, the bytes in Result those
// that came.
func TestC1Exactness(t *testing.T) {
	corpus := wiretest.ExactArguments()
	if len(corpus) < 300 {
		t.Fatalf("%d values, want 300", len(corpus))
	}
	for _, revision := range []string{spec.NewestLegacy, spec.NewestModern} {
		rules := func(extra string) string {
			return greeting(revision) + "on tools/call\n\t" + extra +
				"result {\"content\":[] , \"echo\":$arguments, \"big\":1e400}\n"
		}
		for name, target := range exactServers(t, rules) {
			t.Run(revision+" "+name, func(t *testing.T) {
				s := connect(t, target, Options{Protocol: revision})
				for _, arguments := range corpus {
					params := raw(`{"name":"t","arguments":` + arguments + `}`)
					ex, err := s.Do(context.Background(),
						Request{Method: "tools/call", Params: params, OnProgress: func(Progress) {}})
					if err != nil {
						t.Fatalf("%.200s: %v", arguments, err)
					}
					if want := `"params":{"name":"t","arguments":` + arguments +
						`,"_meta":{`; !strings.Contains(string(ex.Request.Frame.Body), want) {
						t.Errorf("sent %.300s\nwant %.300s", ex.Request.Frame.Body, want)
					}
					if want := `{"content":[] , "echo":` + arguments +
						`, "big":1e400}`; string(ex.Reply.Result) != want {
						t.Errorf("result %.300s\nwant   %.300s", ex.Reply.Result, want)
					}
				}
			})
		}
	}
}

// Arguments may be written over several lines. Where a line is a message, the line breaks, which mean nothing in JSON,
// become spaces; nothing else changes.
func TestC1LineBreaks(t *testing.T) {
	const arguments, flat = "{\n  \"a\" : \"x\\ny\xff\",\r\n  \"b\":1.0\n}", "{   \"a\" : \"x\\ny\xff\",    \"b\":1.0 }"
	for name, target := range exactServers(t, func(extra string) string {
		return legacyGreeting + "on tools/call\n\t" + extra + "result {\"content\":[]}\n"
	}) {
		s := connect(t, target, Options{Protocol: spec.NewestLegacy})
		ex, err := s.Call(context.Background(), "tools/call", raw(`{"arguments":`+arguments+`}`))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := arguments
		if slices.Contains([]string{"stdio", "in process"}, name) {
			want = flat
		}
		if got := string(ex.Request.Frame.Body); !strings.Contains(got, `"arguments":`+want+`}`) {
			t.Errorf("%s: sent %q, want %q", name, got, want)
		}
	}
}

// A raw frame goes out as it is, whatever it is.
func TestC1RawFrame(t *testing.T) {
	s, server := play(t, spec.NewestLegacy, "on x\n\tresult $params\n", Options{})
	const body = `{ "method":"x" ,"params":{"a":1.0,"a":-0}, "id":"my id","jsonrpc":"2.0" }`
	ex, err := s.CallRaw(context.Background(), raw(`"my id"`), []byte(body), nil)
	if err != nil || string(ex.Reply.Result) != `{"a":1.0,"a":-0}` || server.Got("x")[0] != body {
		t.Errorf("%v, result %s, the server got %s", err, ex.Reply.Result, server.Got("x"))
	}
}
