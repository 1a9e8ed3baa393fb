package demo

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcptest-dev/mcptest/internal/leaktest"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// hang is how long is waited for what should come at once: no machine is so slow.
const hang = 30 * time.Second

// A wire is a client that speaks in raw lines to a server in this process.
type wire struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *bufio.Reader
	done chan error
}

// dial starts the server of the name. It is stopped, and waited for, when the test ends.
func dial(t *testing.T, name string) *wire {
	t.Helper()
	server, ok := Lookup(name)
	if !ok {
		t.Fatalf("Lookup(%q) found nothing", name)
	}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	w := &wire{t: t, in: inW, out: bufio.NewReader(outR), done: make(chan error, 1)}
	go func() {
		err := server.Serve(t.Context(), inR, outW)
		outW.Close()
		w.done <- err
	}()
	t.Cleanup(func() {
		inW.Close()
		go io.Copy(io.Discard, outR)
		<-w.done
	})
	return w
}

func (w *wire) send(line string) {
	w.t.Helper()
	if _, err := io.WriteString(w.in, line+"\n"); err != nil {
		w.t.Fatalf("send %.80s: %v", line, err)
	}
}

// recv returns the next line.
func (w *wire) recv() string {
	w.t.Helper()
	type read struct {
		line string
		err  error
	}
	got := make(chan read, 1)
	go func() {
		line, err := w.out.ReadString('\n')
		got <- read{line, err}
	}()
	select {
	case r := <-got:
		if r.err != nil {
			w.t.Fatalf("recv: %v", r.err)
		}
		return r.line[:len(r.line)-1]
	case <-time.After(hang):
		w.in.Close()
		w.t.Fatalf("recv: nothing within %v", hang)
	}
	return ""
}

// ask sends a line and returns the next one.
func (w *wire) ask(line string) reply {
	w.t.Helper()
	w.send(line)
	return readReply(w.t, w.recv())
}

// open does the handshake.
func (w *wire) open(revision string) reply {
	w.t.Helper()
	r := w.ask(initialize(revision, `{}`))
	w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return r
}

func initialize(revision, capabilities string) string {
	return `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"` + revision +
		`","capabilities":` + capabilities + `,"clientInfo":{"name":"test","version":"1"}}}`
}

// modernRequest writes a request of the modern era; params holds members that go before _meta, with a comma.
func modernRequest(id, method, params, capabilities string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{` + params +
		`"_meta":{"` + serve.MetaVersion + `":"` + spec.July2026 + `","` + serve.MetaCapabilities + `":` +
		capabilities + `}}}`
}

// A reply is what a test looks at.
type reply struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *serve.Error    `json:"error"`
	raw     string
}

func readReply(t *testing.T, line string) reply {
	t.Helper()
	r := reply{raw: line}
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		t.Fatalf("reply is no JSON: %v\n%.300s", err, line)
	}
	return r
}

func (r reply) code() int {
	if r.Error == nil {
		return 0
	}
	return r.Error.Code
}

// text returns the text of a tool result's first block.
func (r reply) text() string {
	var v struct{ Content []struct{ Text string } }
	json.Unmarshal(r.Result, &v)
	if len(v.Content) == 0 {
		return ""
	}
	return v.Content[0].Text
}

// session connects the SDK's client over pipes, in the era of the revision.
func session(t *testing.T, name, revision string, options *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	server, _ := Lookup(name)
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := server.Serve(context.Background(), inR, outW)
		outW.Close()
		done <- err
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, options)
	s, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: outR, Writer: inW},
		&mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatalf("connect with %s: %v", revision, err)
	}
	t.Cleanup(func() {
		s.Close()
		inW.Close()
		<-done
	})
	return s
}
