package mcp

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/leaktest"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
)

func TestMain(m *testing.M) {
	wiretest.Play()
	leaktest.Main(m)
}

// What servers of the two eras say to begin with.
const (
	legacyGreeting = `
on server/discover
	error -32601 unknown
on initialize
	result {"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{},"logging":{}},"serverInfo":{"name":"s","version":"1"}}
on ping
	result {}
`
	modernGreeting = `
on server/discover
	result {"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}
`
)

func greeting(revision string) string {
	if spec.EraOf(revision) == spec.Modern {
		return modernGreeting
	}
	return legacyGreeting
}

// connect opens a session with a target; it is closed with the test.
func connect(t testing.TB, target wire.Target, opts Options) *Session {
	t.Helper()
	s, err := Connect(context.Background(), target, wire.NewTranscript(nil), &opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// play opens a session in process with a server that plays the rules after the greeting of the revision.
func play(t testing.TB, revision, rules string, opts Options) (*Session, *wiretest.Server) {
	t.Helper()
	server := wiretest.New(greeting(revision) + rules)
	opts.Protocol = revision
	return connect(t, wire.Target{Name: "played", Serve: server.Serve}, opts), server
}

// playHTTP does the same over HTTP.
func playHTTP(t testing.TB, revision, rules string, opts Options) (*Session, *wiretest.Server) {
	t.Helper()
	opts.Protocol = revision
	return playAt(t, greeting(revision)+rules, opts)
}

// served is a target that the server plays to over HTTP.
func served(t testing.TB, server *wiretest.Server) wire.Target {
	t.Helper()
	web := httptest.NewServer(server)
	t.Cleanup(web.Close)
	return wire.Target{URL: web.URL}
}

// playAt plays a whole script over HTTP.
func playAt(t testing.TB, script string, opts Options) (*Session, *wiretest.Server) {
	t.Helper()
	server := wiretest.New(script)
	return connect(t, served(t, server), opts), server
}

// result is the result of a call that has to work.
func result(t testing.TB, s *Session, method string, params any) string {
	t.Helper()
	ex, err := s.Call(context.Background(), method, params)
	if err != nil {
		t.Fatal(err)
	}
	if ex.Reply.Error != nil {
		t.Fatal(ex.Reply.Error)
	}
	return string(ex.Reply.Result)
}

// atMost is how long is waited for what should come at once: no machine is so slow.
const atMost = 30 * time.Second

// noticed waits for a notice that contains the text.
func noticed(t testing.TB, s *Session, text string) {
	t.Helper()
	for deadline := time.Now().Add(atMost); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if slices.ContainsFunc(s.Notices(), func(n Notice) bool { return strings.Contains(n.Text, text) }) {
			return
		}
	}
	t.Errorf("no notice with %q among %v", text, s.Notices())
}

// await waits until the server has got n messages of a method, and returns the last.
func await(t testing.TB, server *wiretest.Server, method string, n int) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), atMost)
	defer cancel()
	if err := server.Await(ctx, method, n); err != nil {
		t.Fatal(err)
	}
	return server.Got(method)[n-1]
}

func raw(text string) json.RawMessage { return json.RawMessage(text) }
