package wire

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wiretest"
)

func served(t *testing.T, script string) (Target, *wiretest.Server) {
	t.Helper()
	server := wiretest.New(script)
	web := httptest.NewServer(server)
	t.Cleanup(web.Close)
	return Target{URL: web.URL + "/mcp?key=canary"}, server
}

func post(t *testing.T, conn Conn, body string) Frame {
	t.Helper()
	f, err := conn.Send(t.Context(), Frame{Body: []byte(body)})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func recv(t *testing.T, conn Conn) Frame {
	t.Helper()
	f, err := conn.Recv(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestHTTPCarriesBytesAndHeaders(t *testing.T) {
	target, server := served(t, "on a\n\theader X-Back: yes\n\tsend $params\non b\n\tsse\n\twrite \"id: 1\\ndata: "+
		"$params\\n\\n\"\n")
	target.Header = http.Header{"X-Mine": {"1"}, "X-Both": {"target"}}
	conn := dial(t, target, nil)
	const params = `{"a":1.0, "a":"\ud800<&>"}`
	sent, err := conn.Send(t.Context(), Frame{Header: http.Header{"X-Both": {"frame"}},
		Body: []byte(`{"id":1,"method":"a","params":` + params + `}`)})
	if err != nil {
		t.Fatal(err)
	}
	f := recv(t, conn)
	if string(f.Body) != params || f.Status != 200 || f.Header.Get("X-Back") != "yes" || !f.End ||
		f.Stream != sent.Stream {
		t.Errorf("answer %+v", f)
	}
	got := server.Received()[0].Header
	if got.Get("X-Mine") != "1" || got.Get("X-Both") != "frame" || got.Get("Content-Type") != "application/json" {
		t.Errorf("headers %v", got)
	}
	post(t, conn, `{"id":1,"method":"b","params":`+params+`}`)
	event, end := recv(t, conn), recv(t, conn)
	if string(event.Body) != params || event.Event.ID != "1" || event.Status != 200 || event.End || !end.End ||
		end.Err != nil {
		t.Errorf("event %+v, end %+v", event, end)
	}
}

func TestCutEndsOneStream(t *testing.T) {
	target, _ := served(t, "on slow\n\tsse\n\thang\non quick\n\tresult 1\n")
	conn := dial(t, target, nil).(Streamer)
	slow := post(t, conn, `{"id":1,"method":"slow"}`)
	<-conn.Opened(slow.Stream)
	conn.Cut(slow.Stream)
	if f := recv(t, conn); f.Stream != slow.Stream || !f.End || !errors.Is(f.Err, ErrCut) {
		t.Errorf("cut stream gave %+v", f)
	}
	post(t, conn, `{"id":2,"method":"quick"}`)
	if f := recv(t, conn); f.Err != nil || !f.End {
		t.Errorf("the other stream gave %+v", f)
	}
}

// Send and Close at the same time: no send on a closed inbox, no stream that Close does not wait for.
func TestSendWhileClosing(t *testing.T) {
	target, _ := served(t, "on a\n\tresult 1\n")
	for range 50 {
		conn := dial(t, target, nil)
		var work sync.WaitGroup
		for range 4 {
			work.Go(func() {
				for range 5 {
					_, _ = conn.Send(t.Context(), Frame{Body: []byte(`{"id":1,"method":"a"}`)})
				}
			})
		}
		_ = conn.Close()
		work.Wait()
	}
}

func TestErrorsNameTheTargetWithoutItsQuery(t *testing.T) {
	conn := dial(t, Target{URL: "http://127.0.0.1:1/mcp?key=canary"}, nil)
	post(t, conn, `{}`)
	f := recv(t, conn)
	var e *Error
	if !errors.As(f.Err, &e) || !e.Unsent || !strings.Contains(e.Hint.String(), "check that the server is running") ||
		strings.Contains(fmt.Sprint(e, e.Hint), "canary") {
		t.Errorf("error %+v", f.Err)
	}
}

func TestDialRefusesWhatIsNoURL(t *testing.T) {
	for _, url := range []string{"ftp://host/", "host/path", "http://", "://"} {
		if conn, err := Dial(t.Context(), Target{URL: url}, nil); err == nil {
			t.Errorf("Dial(%q) worked", url)
			_ = conn.Close()
		}
	}
	if _, err := Dial(t.Context(), Target{URL: "http://x/", Kind: "carrier pigeon"}, nil); err == nil {
		t.Error("Dial of an unknown transport worked")
	}
}

func TestRedirectsStayAtHome(t *testing.T) {
	var there []string
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter,
		r *http.Request) {
		there = append(there, r.Header.Get("Authorization"))
	}))
	defer other.Close()
	mux := http.NewServeMux()
	mux.HandleFunc("/away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/here", http.StatusPermanentRedirect)
	})
	mux.Handle("/here", wiretest.New("on a\n\tresult $params\n"))
	web := httptest.NewServer(mux)
	defer web.Close()
	header := http.Header{"Authorization": {"Bearer canary"}}
	away := dial(t, Target{URL: web.URL + "/away", Header: header}, nil)
	post(t, away, `{"id":1,"method":"a"}`)
	if f := recv(t, away); f.Err == nil || !strings.Contains(f.Err.Error(), "another origin") || len(there) != 0 {
		t.Errorf("redirect away gave %v; the other server saw %q", f.Err, there)
	}
	moved := dial(t, Target{URL: web.URL + "/moved", Header: header}, nil)
	post(t, moved, `{"id":1,"method":"a","params":[7]}`)
	if f := recv(t, moved); f.Err != nil || !strings.Contains(string(f.Body), "[7]") {
		t.Errorf("redirect within the origin gave %+v", f)
	}
}

// TestC5 reads a body up to its limit and not a byte further, whatever is kept of it.
func TestC5BodyLimit(t *testing.T) {
	target, _ := served(t, "on a\n\tsend 0123456789\non b\n\tsend 0123456789X\n")
	target.MaxFrame = 10
	conn := dial(t, target, nil)
	post(t, conn, `{"id":1,"method":"a"}`)
	if f := recv(t, conn); string(f.Body) != "0123456789" || f.Err != nil {
		t.Errorf("at the limit: %q, %v", f.Body, f.Err)
	}
	post(t, conn, `{"id":1,"method":"b"}`)
	var limit *LimitError
	if f := recv(t, conn); string(f.Body) != "0123456789" || !errors.As(f.Err, &limit) || f.Fault == "" {
		t.Errorf("over the limit: %q, %v", f.Body, f.Err)
	}
}

func TestDelete(t *testing.T) {
	target, server := served(t, "on DELETE\n\tstatus 204\n")
	conn := dial(t, target, nil).(Streamer)
	f, err := conn.Delete(t.Context(), http.Header{"Mcp-Session-Id": {"s"}})
	if err != nil || f.Status != 204 || server.Received()[0].Header.Get("Mcp-Session-Id") != "s" {
		t.Errorf("Delete: %+v, %v", f, err)
	}
}

func TestSSETransportFindsItsEndpoint(t *testing.T) {
	for name, tt := range map[string]struct{ script, want string }{
		"relative":        {`write "event: endpoint\ndata: /messages?s=1\n\n"`, ""},
		"another origin":  {`write "event: endpoint\ndata: http://evil.example/\n\n"`, "another origin"},
		"another event":   {`write "data: {}\n\n"`, "not an endpoint event"},
		"nothing":         {`write ""`, "not an endpoint event"},
		"not a URL":       {`write "event: endpoint\ndata: http://[\n\n"`, "not a URL"},
		"refused by HTTP": {"status 403", "HTTP 403"},
	} {
		script := "on GET\n\tsse\n\t" + tt.script + "\n\tsleep 50ms\non a\n\tstatus 202\n"
		if strings.HasPrefix(tt.script, "status") {
			script = "on GET\n\t" + tt.script + "\n"
		}
		target, server := served(t, script)
		target.Kind = HTTPWithSSE
		conn, err := Dial(t.Context(), target, nil)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
		if err != nil {
			continue
		}
		post(t, conn, `{"id":1,"method":"a"}`)
		_ = server.Await(t.Context(), "a", 1)
		_ = conn.Close()
	}
}

func TestSSETransportGivesUpOnASilentServer(t *testing.T) {
	target, _ := served(t, "on GET\n\tsse\n\thang\n")
	target.Kind = HTTPWithSSE
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := Dial(ctx, target, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Dial: %v, want that the time is over", err)
	}
}
