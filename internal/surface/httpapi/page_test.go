package httpapi_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/inspector"
	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire/supervise"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/surface/httpapi"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/view"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// hang is how long anything may take before a test gives up on it.
const hang = 60 * time.Second

// A page is a browser's view of a running inspector.
type page struct {
	t      *testing.T
	url    string // without a slash at the end
	token  string
	client *http.Client
	dir    string // where the inspector runs
}

// rewrite changes the config file that the inspector reads.
func (p *page) rewrite(mcpJSON string) {
	p.t.Helper()
	if err := os.WriteFile(filepath.Join(p.dir, ".mcp.json"), []byte(mcpJSON), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// newPage serves an inspector in a directory of its own, with config as its .mcp.json if there is one.
func newPage(t *testing.T, given *target.Spec, mcpJSON string) *page {
	t.Helper()
	return newPageIn(t, t.TempDir(), given, mcpJSON)
}

// newPageIn is newPage in a directory, which may be that of an earlier one: what is approved and kept lies there too.
func newPageIn(t *testing.T, dir string, given *target.Spec, mcpJSON string) *page {
	t.Helper()
	if mcpJSON != "" {
		if err := os.WriteFile(dir+"/.mcp.json", []byte(mcpJSON), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sys := target.System{System: config.System{GOOS: "linux", Home: dir, Dir: dir, Lookup: os.LookupEnv},
		Environ: os.Environ(), LookPath: exec.LookPath}
	approvals, err := target.NewApprovals(sys, filepath.Join(dir, "approvals"))
	if err != nil {
		t.Fatal(err)
	}
	self, _ := os.Executable()
	w := &workbench.Workbench{Version: "dev", System: sys, Builtins: builtins(), Secrets: redact.New(),
		Supervisor: []string{self, supervise.Command}}
	p := serve(t, inspector.New(w, inspector.Options{Approvals: approvals, Given: given,
		Keep: filepath.Join(dir, "kept"), Surfaces: filepath.Join(dir, "definitions")}))
	p.dir = dir
	return p
}

func serve(t *testing.T, i *inspector.Inspector) *page {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	token := netguard.NewToken()
	api, handler, err := httpapi.New(i, httpapi.Options{Token: token, Hosts: netguard.Hosts(listener.Addr())})
	if err != nil {
		t.Fatal(err)
	}
	server := netguard.Server(handler)
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(listener) }()
	client := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(func() {
		api.Stop()
		_ = server.Close()
		<-done
		i.Shutdown()
		client.CloseIdleConnections()
	})
	return &page{t: t, url: "http://" + listener.Addr().String(), token: token, client: client}
}

// send makes one request and returns status, header and body. Header fields override; an empty value removes one.
func (p *page) send(method, path, body string, header map[string]string) (int, http.Header, string) {
	p.t.Helper()
	res := p.open(context.Background(), method, path, body, header)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatalf("%s %s: %v", method, path, err)
	}
	return res.StatusCode, res.Header, string(text)
}

func (p *page) open(ctx context.Context, method, path, body string, header map[string]string) *http.Response {
	p.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, p.url+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+p.token)
	r.Header.Set("Content-Type", "application/json")
	for name, value := range header {
		switch {
		case name == "Host":
			r.Host = value
		case value == "":
			r.Header.Del(name)
		default:
			r.Header.Set(name, value)
		}
	}
	res, err := p.client.Do(r)
	if err != nil {
		p.t.Fatalf("%s %s: %v", method, path, err)
	}
	return res
}

// ask makes a request that has to succeed, and reads the answer.
func ask[Out any](p *page, method, path string, in any) Out {
	p.t.Helper()
	status, _, text := p.send(method, path, encode(p.t, in), nil)
	if status/100 != 2 {
		p.t.Fatalf("%s %s: %d %s", method, path, status, text)
	}
	var out Out
	if text != "" {
		if err := json.Unmarshal([]byte(text), &out); err != nil {
			p.t.Fatalf("%s %s: %v in %s", method, path, err, text)
		}
	}
	p.hasNoNull(method+" "+path, text)
	return out
}

// hasNoNull fails for a list that is null where the page expects one: what has no value is left out, or empty.
func (p *page) hasNoNull(what, text string) {
	p.t.Helper()
	for dec := json.NewDecoder(strings.NewReader(text)); ; {
		token, err := dec.Token()
		if err != nil {
			return
		}
		if token == nil {
			p.t.Errorf("%s answers with a null: %.600s", what, text)
			return
		}
	}
}

// refused makes a request that has to fail, and reads why.
func (p *page) refused(method, path string, in any, want int) view.Problem {
	p.t.Helper()
	status, _, text := p.send(method, path, encode(p.t, in), nil)
	var out httpapi.Failure
	if err := json.Unmarshal([]byte(text), &out); status != want || err != nil {
		p.t.Fatalf("%s %s: %d %s; want %d", method, path, status, text, want)
	}
	p.hasNoNull(method+" "+path, text)
	return out.Error
}

func encode(t *testing.T, in any) string {
	if in == nil {
		return ""
	}
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// connect opens a connection and waits until it is open.
func (p *page) connect(in view.NewLink) view.Link {
	p.t.Helper()
	l := ask[view.Link](p, "POST", "/api/links", in)
	l = p.settled(l.ID)
	if l.State != view.Open {
		p.t.Fatalf("connect to %s: %s %+v", in.Server, l.State, l.Error)
	}
	return l
}

// settled waits until a connection is no longer being opened.
func (p *page) settled(id string) view.Link {
	p.t.Helper()
	return until(p, func() (view.Link, bool) {
		l := ask[view.Link](p, "GET", "/api/links/"+id, nil)
		return l, l.State != view.Connecting
	})
}

// call makes a call and waits for its end.
func (p *page) call(link string, in view.NewCall) view.Call {
	p.t.Helper()
	c := ask[view.Call](p, "POST", "/api/links/"+link+"/calls", in)
	return p.ended(link, c.N)
}

func (p *page) ended(link string, n int) view.Call {
	p.t.Helper()
	return until(p, func() (view.Call, bool) {
		c := ask[view.Call](p, "GET", "/api/links/"+link+"/calls/"+itoa(n), nil)
		return c, c.Status != view.Running && c.Status != view.Waiting
	})
}

func itoa(n int) string { return string(encodeInt(n)) }

func encodeInt(n int) []byte { text, _ := json.Marshal(n); return text }

// until asks again and again until the answer is as wanted. It measures no time; it only gives up on what hangs.
func until[T any](p *page, look func() (T, bool)) T {
	p.t.Helper()
	deadline := time.Now().Add(hang)
	for {
		got, ok := look()
		if ok {
			return got
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("still not as wanted: %+v", got)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// An sse reads a stream of events.
type sse struct {
	t    *testing.T
	body io.ReadCloser
	in   *bufio.Reader
}

func (p *page) stream(ctx context.Context, method, path string, in any) *sse {
	p.t.Helper()
	res := p.open(ctx, method, path, encode(p.t, in), nil)
	if res.StatusCode != http.StatusOK || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		text, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		p.t.Fatalf("%s %s: %d %s", method, path, res.StatusCode, text)
	}
	p.t.Cleanup(func() { _ = res.Body.Close() })
	return &sse{t: p.t, body: res.Body, in: bufio.NewReader(res.Body)}
}

// next reads the data of the next event; false at the end of the stream.
func (s *sse) next(out any) bool {
	s.t.Helper()
	for {
		line, err := s.in.ReadBytes('\n')
		if err != nil {
			return false
		}
		if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
			if err := json.Unmarshal(data, out); err != nil {
				s.t.Fatalf("event %s: %v", data, err)
			}
			return true
		}
	}
}
