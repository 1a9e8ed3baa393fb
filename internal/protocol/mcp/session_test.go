package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
)

// Answers may come in any order.
func TestConcurrentCalls(t *testing.T) {
	rules := "on x\n\tsleep 30ms\n\tresult $params\non x\n\tsleep 10ms\n\tresult $params\non x\n\tresult $params\n"
	for name, open := range map[string]func(testing.TB, string, string, Options) *Session{
		"in process": func(t testing.TB, r, rules string, o Options) *Session {
			s,
				_ := play(t, r, rules, o)
			return s
		},
		"http": func(t testing.TB, r, rules string, o Options) *Session {
			s,
				_ := playHTTP(t, r, rules, o)
			return s
		},
	} {
		for _, revision := range []string{spec.NewestLegacy, spec.NewestModern} {
			t.Run(name+" "+revision, func(t *testing.T) {
				s := open(t, revision, rules, Options{})
				var work sync.WaitGroup
				for i := range 200 {
					work.Go(func() {
						want := fmt.Sprintf(`{"i":%d`, i)
						if got := result(t, s, "x", raw(want+"}")); !strings.HasPrefix(got, want) {
							t.Errorf("call %d got %s", i, got)
						}
					})
				}
				work.Wait()
				if n := s.Notices(); len(n) > 0 {
					t.Errorf("notices %v", n)
				}
			})
		}
	}
}

// A response completes the request with exactly its ID; every other response is noted.
func TestB9Answers(t *testing.T) {
	const ok = "\n\tresult 1"
	for name, tt := range map[string]struct{ rules, notice string }{
		"twice": {`result 1` + "\n\t" + `result 2`, "of a request that was answered before"},
		"unknown id": {`send {"jsonrpc":"2.0","id":"abc","result":0}` + ok,
			`a result with id "abc", which matches no request`},
		"retyped": {`send {"jsonrpc":"2.0","id":"$id","result":0}` + ok, `a result with id "2"; expected id 2`},
		"exponent": {`send {"jsonrpc":"2.0","id":$id.0e0,"result":0}` + ok,
			"a result with id 2.0e0; expected id 2"},
		"null": {`send {"jsonrpc":"2.0","id":null,"result":0}` + ok,
			"a result with id null while request 2 (x) is in flight"},
		"null error": {`send {"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"no"}}` + ok,
			"an error with id null: -1 no while request 2"},
		"absent": {`send {"jsonrpc":"2.0","result":0}` + ok,
			"a result without id while request 2 (x) is in flight"},
		"wrong case": {`send {"jsonrpc":"2.0","ID":$id,"result":0}` + ok,
			"a result without id while request 2 (x) is in flight"},
		"negative": {`send {"jsonrpc":"2.0","id":-1,"result":0}` + ok,
			"a result with id -1, which matches no request"},
		"zero": {`send {"jsonrpc":"2.0","id":0,"result":0}` + ok,
			"a result with id 0, which matches no request"},
		"object": {`send {"jsonrpc":"2.0","id":{},"result":0}` + ok,
			"a result with id {}, which matches no request"},
		"future": {`send {"jsonrpc":"2.0","id":99,"result":0}` + ok,
			"a result with id 99, which matches no request"},
		"result of error": {`send {"jsonrpc":"2.0","id":$id,"result":1,"error":null}`, "error is null"},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := play(t, spec.NewestLegacy, "on x\n\t"+tt.rules+"\n", Options{})
			if got := result(t, s, "x", nil); got != "1" {
				t.Errorf("result %s, want 1", got)
			}
			noticed(t, s, tt.notice)
		})
	}
}

// With two calls under way nobody can tell whose an answer without id is.
func TestNullIDIsNotGuessed(t *testing.T) {
	s, server := play(t, spec.NewestLegacy, "on slow\n\twait x\n\tsleep 30ms\n\tresult 1\non x\n\tsend "+
		"{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":0}\n\tresult 2\n", Options{})
	slow := make(chan string, 1)
	go func() { slow <- result(t, s, "slow", nil) }()
	await(t, server, "slow", 1)
	if got := result(t, s, "x", nil); got != "2" {
		t.Errorf("x got %s", got)
	}
	if got := <-slow; got != "1" {
		t.Errorf("slow got %s", got)
	}
	noticed(t, s, "a result with id null, which matches no request")
}

// Calls that are under way when the server goes fail once, with the reason; later ones fail at once with the same.
func TestServerGoes(t *testing.T) {
	s, server := play(t, spec.NewestLegacy, "on hang\n\thang\non die\n\texit 3\n", Options{})
	failures := make(chan error, 10)
	for range 10 {
		go func() { _, err := s.Call(context.Background(), "hang", nil); failures <- err }()
	}
	await(t, server, "hang", 10)
	_, err := s.Call(context.Background(), "die", nil)
	for range 10 {
		if other := <-failures; other == nil || other.Error() != err.Error() {
			t.Errorf("a call failed with %v, want %v", other, err)
		}
	}
	if !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("error %v, want the exit status", err)
	}
	if _, later := s.Call(context.Background(), "x", nil); later == nil || later.Error() != err.Error() {
		t.Errorf("a later call: %v", later)
	}
}

func TestCloseEndsCalls(t *testing.T) {
	for name, open := range map[string]func() (*Session, func(int)){
		"in process": func() (*Session, func(int)) {
			s, server := play(t, spec.NewestLegacy, "on hang\n\thang\n", Options{})
			return s, func(n int) { await(t, server, "hang", n) }
		},
		"http": func() (*Session, func(int)) {
			s, server := playHTTP(t, spec.NewestModern, "on hang\n\tsse\n\thang\n", Options{})
			return s, func(n int) { await(t, server, "hang", n) }
		},
	} {
		s, arrived := open()
		failure := make(chan error, 1)
		go func() { _, err := s.Call(context.Background(), "hang", nil); failure <- err }()
		arrived(1)
		if err := s.Close(); err != nil {
			t.Errorf("%s: Close: %v", name, err)
		}
		if err := <-failure; err == nil || errors.Is(err, io.EOF) ||
			!strings.Contains(err.Error(), "the session is closed") {
			t.Errorf("%s: the call failed with %v", name, err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: second Close: %v", name, err)
		}
	}
}

// A caller's own id is any JSON value. Of all but strings only the exact spelling counts.
func TestRawIDs(t *testing.T) {
	rules := "on x\n\tsend {\"jsonrpc\":\"2.0\",\"id\":\"other\",\"result\":0}\n\tresult $params\n"
	s, _ := play(t, spec.NewestLegacy, rules, Options{})
	for i, id := range []string{`"abc"`, `""`, `1e3`, `-5`, `0`, `9223372036854775807`, `18446744073709551616`, `{}`,
		`[1]`, `true`, `77`} {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"x","params":[%d]}`, id, i)
		ex, err := s.CallRaw(context.Background(), raw(id), []byte(body), nil)
		if err != nil || string(ex.Reply.Result) != fmt.Sprintf("[%d]", i) || string(ex.Request.Frame.Body) != body {
			t.Errorf("id %s: %v, %+v", id, err, ex)
		}
	}
	if got := result(t, s, "x", raw(`{"a":1}`)); got != `{"a":1}` {
		t.Errorf("a call afterwards got %s", got)
	}
	if ex, err := s.CallRaw(context.Background(), nil, []byte("not json"), nil); err != nil || ex.Reply != nil {
		t.Errorf("a frame without answer: %v, %+v", err, ex)
	}
}

// What answers a frame that was sent as it is was asked for, once.
func TestLooseAnswers(t *testing.T) {
	s := &Session{}
	batch := Read(wire.Frame{Body: []byte(`[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":"b",` +
		`"method":"b"}]`)})
	s.expectRawResponses(&batch)
	for _, tt := range []struct {
		id   string
		want bool
	}{{"2", false}, {"1", true}, {"1", false}, {`"\u0062"`, true}, {"null", true}, {"", false}} {
		if got := s.looseLocked(&Message{ID: raw(tt.id)}); got != tt.want {
			t.Errorf("an answer to %q is one to the frame: %v, want %v", tt.id, got, tt.want)
		}
	}
}

func TestRawIDInUse(t *testing.T) {
	s, server := play(t, spec.NewestLegacy, "on hang\n\thang\n", Options{})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		_, err := s.CallRaw(ctx, raw(`"a"`), []byte(`{"jsonrpc":"2.0","id":"a","method":"hang"}`), nil)
		done <- err
	}()
	await(t, server, "hang", 1)
	if _, err := s.CallRaw(ctx, raw(`"a"`), []byte(`{}`), nil); err == nil ||
		!strings.Contains(err.Error(), "already in flight") {
		t.Errorf("the same id again: %v", err)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled call: %v", err)
	}
}

func TestBareSessionSaysNothing(t *testing.T) {
	server := wiretest.New("on x\n\tresult 1\n")
	s := connect(t, wire.Target{Serve: server.Serve}, Options{Bare: true})
	if got := result(t, s, "x", nil); got != "1" || len(server.Received()) != 1 {
		t.Errorf("result %s; the server got %v", got, server.Received())
	}
}

func TestSurface(t *testing.T) {
	s, server := play(t, spec.NewestLegacy, "on tools/list\n\tresult {\"tools\":[{\"name\":\"t\"}]}\non "+
		"resources/list\n\terror -32603 broken\non resources/templates/list\n\tresult "+
		"{\"resourceTemplates\":[{\"uriTemplate\":\"a:{b}\"}]}\n", Options{})
	surface, err := s.Surface(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(surface.Tools.Items) != 1 || surface.Resources.Refused == nil ||
		surface.Templates.Items[0].Name != "a:{b}" || surface.Prompts != nil {
		t.Errorf("surface %+v", surface)
	}
	if len(server.Got("prompts/list")) != 0 {
		t.Error("a list was asked for that the server does not declare")
	}
	if _, err := s.List(context.Background(), "no/list"); err == nil {
		t.Error("List of what is no list worked")
	}
}

func TestStderrOfAServerInProcess(t *testing.T) {
	s, _ := play(t, spec.NewestLegacy, "", Options{})
	if s.Stderr() != "" || s.Target().Name != "played" || s.Transcript() == nil {
		t.Errorf("stderr %q, target %v", s.Stderr(), s.Target())
	}
	var e *wire.Error
	if _, err := Connect(context.Background(), wire.Target{Command: []string{"/no/such/program"}}, nil,
		nil); !errors.As(err, &e) {
		t.Errorf("Connect to nothing: %v", err)
	}
}
