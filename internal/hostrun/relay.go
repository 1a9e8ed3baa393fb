package hostrun

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A relay starts the server for each connection of a host, passes bytes on unchanged, and records them.
type relay struct {
	target wire.Target
	log    *wire.Transcript
	ctx    context.Context

	mu     sync.Mutex
	seen   Session
	asked  map[string]string // methods of requests in flight by their ID
	listed map[string]bool   // tools that the server returned
	begun  map[int]bool      // connections on which the server has sent a message
	active sync.WaitGroup
}

// A Session is what a host exchanged with the server.
type Session struct {
	Client    string   `json:"client,omitempty"`    // name and version, as the host introduces itself
	Protocols []string `json:"protocols,omitempty"` // that the host asked for, in order
	Methods   []string `json:"methods,omitempty"`   // that the host sent, in order, each once
	Starts    int      `json:"starts"`              // of the server
	Listed    []string `json:"listed"`              // tools that the server returned to the host
	More      bool     `json:"more,omitempty"`      // the last page of tools/list that the host read is not the last one
	Calls     int      `json:"calls"`               // tool calls that reached the server
	Noise     int      `json:"noise,omitempty"`     // lines of the server that are not messages
	Banner    int      `json:"banner,omitempty"`    // of these, lines before the first message of a process
	Stderr    string   `json:"stderr,omitempty"`    // of the server, the end
}

// serve accepts connections of the helper until the listener is closed.
func (r *relay) serve(listener net.Listener) {
	r.asked, r.listed, r.begun = map[string]string{}, map[string]bool{}, map[int]bool{}
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		r.active.Go(func() { r.connection(conn) })
	}
}

// connection runs the server for one connection.
func (r *relay) connection(conn net.Conn) {
	defer conn.Close()
	r.mu.Lock()
	r.seen.Starts++
	number := r.seen.Starts
	r.mu.Unlock()
	in := io.TeeReader(conn, &lineSplitter{line: func(l []byte) { r.record(number, wire.Client, l) }})
	out := io.MultiWriter(&lineSplitter{line: func(l []byte) { r.record(number, wire.Server, l) }}, conn)
	serve := r.target.Serve
	if r.target.URL != "" {
		serve = overHTTP(r.target)
	}
	if serve != nil {
		defer context.AfterFunc(r.ctx, func() { _ = conn.Close() })()
		if err := serve(r.ctx, in, out); err != nil && r.ctx.Err() == nil {
			r.stderr(err.Error() + "\n")
		}
		return
	}
	child, err := wire.StartSubprocess(r.target)
	if err != nil {
		r.stderr(err.Error() + "\n")
		return
	}
	defer child.Kill()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(child.Stdin, in)
		_ = child.Stdin.Close()
	}()
	var output sync.WaitGroup
	output.Go(func() { _, _ = io.Copy(out, child.Stdout); _ = conn.Close() })
	output.Go(func() { _, _ = io.Copy(writerFunc(func(p []byte) { r.stderr(string(p)) }), child.Stderr) })
	select {
	case <-child.Exited():
	case <-r.ctx.Done():
	case <-ended: // the host has closed the connection
		select {
		case <-child.Exited():
		case <-r.ctx.Done():
		case <-time.After(serverGrace):
		}
	}
	child.Kill()
	<-child.Exited()
	output.Wait()
}

// serverGrace is how long a server may take to exit after the end of its input.
const serverGrace = 2 * time.Second

// maxStderr is how much of the server's stderr is kept.
const maxStderr = 2000

func (r *relay) stderr(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen.Stderr += text
	r.seen.Stderr = r.seen.Stderr[max(0, len(r.seen.Stderr)-maxStderr):]
}

// record records a line.
func (r *relay) record(conn int, from wire.Side, line []byte) {
	line = bytes.TrimRight(line, "\r\n")
	r.log.Record(wire.Frame{From: from, Conn: conn, Stream: string(wire.Stdio), Body: line})
	var message struct {
		ID     json.RawMessage
		Method string
		Params struct {
			ProtocolVersion string `json:"protocolVersion"`
			ClientInfo      client `json:"clientInfo"`
			Meta            struct {
				Version string `json:"io.modelcontextprotocol/protocolVersion"`
				Client  client `json:"io.modelcontextprotocol/clientInfo"`
			} `json:"_meta"`
		}
		Result struct {
			Tools      []struct{ Name string }
			NextCursor string
		}
	}
	err := json.Unmarshal(line, &message)
	r.mu.Lock()
	defer r.mu.Unlock()
	if from == wire.Server && !json.Valid(line) {
		r.seen.Noise++
		if !r.begun[conn] {
			r.seen.Banner++
		}
	}
	if err != nil {
		return
	}
	if from == wire.Server {
		r.begun[conn] = true
		if r.asked[string(message.ID)] == "tools/list" {
			r.seen.More = message.Result.NextCursor != ""
			for _, tool := range message.Result.Tools {
				if !r.listed[tool.Name] {
					r.listed[tool.Name] = true
					r.seen.Listed = append(r.seen.Listed, tool.Name)
				}
			}
		}
		if message.Method == "" {
			delete(r.asked, string(message.ID))
		}
		return
	}
	if message.Method == "" {
		return
	}
	r.asked[string(message.ID)] = message.Method
	if message.Method == "tools/call" {
		r.seen.Calls++
	}
	p := message.Params
	for _, version := range []string{p.ProtocolVersion, p.Meta.Version} {
		if version != "" && !slices.Contains(r.seen.Protocols, version) {
			r.seen.Protocols = append(r.seen.Protocols, version)
		}
	}
	for _, c := range []client{p.ClientInfo, p.Meta.Client} {
		if c.Name != "" {
			r.seen.Client = c.Name + " " + c.Version
		}
	}
	if !slices.Contains(r.seen.Methods, message.Method) {
		r.seen.Methods = append(r.seen.Methods, message.Method)
	}
}

type client struct{ Name, Version string }

// session returns what was seen.
func (r *relay) session() Session {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.seen
}

// A lineSplitter calls a function for each whole line that is written to it.
type lineSplitter struct {
	rest []byte
	line func([]byte)
}

func (s *lineSplitter) Write(p []byte) (int, error) {
	s.rest = append(s.rest, p...)
	for {
		i := bytes.IndexByte(s.rest, '\n')
		if i < 0 {
			if len(s.rest) > wire.DefaultMaxFrame { // a server that never ends its line; the bytes are passed on anyway
				s.rest = nil
			}
			return len(p), nil
		}
		s.line(slices.Clone(s.rest[:i]))
		s.rest = s.rest[i+1:]
	}
}

type writerFunc func([]byte)

func (f writerFunc) Write(p []byte) (int, error) { f(p); return len(p), nil }
