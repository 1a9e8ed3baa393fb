package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
)

// A cancelled call is taken back on the wire: by a notification, or in the modern era over HTTP by closing its stream.
func TestCancel(t *testing.T) {
	for _, revision := range []string{spec.NewestLegacy, spec.NewestModern} {
		for name, open := range map[string]func(testing.TB, string, string, Options) (*Session,
			*wiretest.Server){"in process": play, "http": playHTTP} {
			t.Run(revision+" "+name, func(t *testing.T) {
				s, server := open(t, revision, "on hang\n\tsleep 10ms\n\thang\n", Options{})
				ctx, cancel := context.WithCancelCause(context.Background())
				go func() { await(t, server, "hang", 1); cancel(errors.New("bored")) }()
				ex, err := s.Call(ctx, "hang", nil)
				if err == nil || err.Error() != "bored" {
					t.Fatalf("call: %v, want its cause", err)
				}
				if revision == spec.NewestModern && name == "http" {
					result(t, s, "server/discover", nil) // a notification would have come by now
					if got := server.Got("notifications/cancelled"); len(got) != 0 {
						t.Errorf("the server was told %q", got)
					}
					return
				}
				want := fmt.Sprintf(`"params":{"requestId":%s,"reason":`, ex.Request.ID)
				if got := await(t, server, "notifications/cancelled", 1); !strings.Contains(got, want) {
					t.Errorf("the server was told %s, want %s", got, want)
				}
			})
		}
	}
}

// The stream of a cancelled call is closed, so that a modern server over HTTP knows.
func TestCancelClosesTheStream(t *testing.T) {
	for _, revision := range []string{spec.NewestLegacy, spec.NewestModern} {
		played, closed := wiretest.New(greeting(revision)), make(chan struct{})
		arrived := make(chan struct{})
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("X-Hang") == "" {
				played.ServeHTTP(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/event-stream")
			_ = http.NewResponseController(w).Flush()
			close(arrived)
			<-r.Context().Done()
			close(closed)
		}))
		s := connect(t, wire.Target{URL: web.URL}, Options{Protocol: revision})
		ctx, cancel := context.WithCancel(context.Background())
		go func() { <-arrived; cancel() }()
		if _, err := s.Do(ctx, Request{Method: "hang", Header: http.Header{"X-Hang": {"1"}}}); !errors.Is(err,
			context.Canceled) {
			t.Errorf("%s: %v", revision, err)
		}
		select {
		case <-closed:
		case <-time.After(atMost):
			t.Errorf("%s: the stream is still open", revision)
		}
		_ = s.Close()
		web.Close()
	}
}

// initialize may not be cancelled, and a timeout cancels like a person does.
func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, server := play(t, spec.NewestLegacy, "on hang\n\thang\n", Options{})
		defer s.Close()
		start := time.Now()
		_, err := s.Call(context.Background(), "hang", nil)
		var timeout *TimeoutError
		if took := time.Since(start); !errors.As(err, &timeout) || !errors.Is(err, context.DeadlineExceeded) ||
			timeout.Hard || took != time.Minute {
			t.Errorf("%v after %v, want a timeout after a minute", err, took)
		}
		synctest.Wait()
		if got := server.Got("notifications/cancelled"); len(got) != 1 || !strings.Contains(got[0], "timed out") {
			t.Errorf("the server was told %q", got)
		}
		silent := wiretest.New("start\n\tsleep 1ms\n")
		if _, err := Connect(context.Background(), wire.Target{Serve: silent.Serve}, nil,
			&Options{Protocol: spec.NewestLegacy}); !errors.As(err, &timeout) || timeout.Method != "initialize" {
			t.Errorf("a silent server: %v", err)
		}
		if len(silent.Got("notifications/cancelled")) != 0 {
			t.Error("initialize was cancelled")
		}
	})
}

// Progress extends the patience, but not for ever.
func TestProgressExtendsTheTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var steps strings.Builder
		for i := range 50 {
			fmt.Fprintf(&steps, "\n\tsleep 8s\n\tnotify notifications/progress "+
				"{\"progressToken\":$token,\"progress\":%d,\"total\":50,\"message\":\"m\"}", i)
		}
		short := strings.Join(strings.Split(steps.String(), "\n")[:9], "\n")
		s, _ := play(t, spec.NewestLegacy, "on short"+short+"\n\tresult 1\non long"+steps.String()+"\n\tresult 1\n",
			Options{Timeout: 10 * time.Second})
		defer s.Close()
		var heard []Progress
		start := time.Now()
		ex, err := s.Do(context.Background(), Request{Method: "short",
			OnProgress: func(p Progress) { heard = append(heard, p) }})
		if took := time.Since(start); err != nil || took != 32*time.Second || len(heard) != 4 || len(ex.Between) != 4 {
			t.Errorf("%v after %v with %d reports, want 32s and 4", err, took, len(heard))
		}
		if last := (Progress{Done: 3, Total: 50, Message: "m"}); heard[3] != last {
			t.Errorf("the last report is %+v, want %+v", heard[3], last)
		}
		start = time.Now()
		_, err = s.Do(context.Background(), Request{Method: "long", OnProgress: func(Progress) {}})
		var timeout *TimeoutError
		if took := time.Since(start); !errors.As(err, &timeout) || !timeout.Hard || took != 50*time.Second {
			t.Errorf("%v after %v, want a hard limit at 50s", err, took)
		}
	})
}

// The caller may choose the progress token.
func TestOwnProgressToken(t *testing.T) {
	for _, token := range []string{`"mine"`, `7.5`, `99`} {
		s, _ := play(t, spec.NewestLegacy, "on x\n\tnotify notifications/progress "+
			"{\"progressToken\":$token,\"progress\":1}\n\tresult $token\n", Options{})
		heard := 0
		ex, err := s.Do(context.Background(), Request{Method: "x",
			Params: raw(`{"_meta":{"progressToken":` + token + `}}`), OnProgress: func(Progress) { heard++ }})
		if err != nil || string(ex.Reply.Result) != token || heard != 1 || len(s.Notices()) != 0 {
			t.Errorf("token %s: %v, %d reports, notices %v", token, err, heard, s.Notices())
		}
	}
}

func TestProgressThatGoesWrong(t *testing.T) {
	s, _ := play(t, spec.NewestLegacy, "on x\n\trepeat 2 notify notifications/progress "+
		"{\"progressToken\":$token,\"progress\":1}\n\tresult 1\n\tnotify notifications/progress "+
		"{\"progressToken\":$token,\"progress\":2}\n", Options{})
	if _, err := s.Do(context.Background(), Request{Method: "x", OnProgress: func(Progress) {}}); err != nil {
		t.Fatal(err)
	}
	noticed(t, s, "progress went from 1 to 1")
	noticed(t, s, "which belongs to no call in flight")
}
