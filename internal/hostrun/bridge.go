package hostrun

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A bridge passes the messages of a host on to a URL: the host has no network, so it uses the server over stdio.
type bridge struct {
	conn    wire.Conn
	streams wire.Streamer // of Streamable HTTP; nil for HTTP+SSE
	out     io.Writer

	mu      sync.Mutex
	session string                     // the ID that the server has given
	version string                     // negotiated by initialize
	waiting map[string]request         // requests without a response, by stream
	tools   map[string]json.RawMessage // that the server listed
}

// A request is one that the server has not answered.
type request struct {
	id         json.RawMessage
	initialize bool
}

// A message is the part of a message that its HTTP header depends on.
type message struct {
	ID     json.RawMessage
	Method string
	Params json.RawMessage
	Result struct {
		ProtocolVersion string
		Tools           []json.RawMessage
	}
	Error json.RawMessage
}

// overHTTP returns a server in this process that passes messages on to the URL of the target.
func overHTTP(target wire.Target) func(context.Context, io.Reader, io.Writer) error {
	return func(ctx context.Context, in io.Reader, out io.Writer) error {
		conn, err := wire.Dial(ctx, target, nil)
		if err != nil {
			return err
		}
		defer conn.Close()
		b := &bridge{conn: conn, out: out, waiting: map[string]request{}, tools: map[string]json.RawMessage{}}
		if target.Transport() == wire.StreamableHTTP {
			b.streams, _ = conn.(wire.Streamer)
		}
		var receiver sync.WaitGroup
		receiver.Go(func() { b.receive(ctx) })
		err = b.send(ctx, in)
		b.end(ctx)
		_ = conn.Close()
		receiver.Wait()
		return err
	}
}

// send posts each line of the host.
func (b *bridge) send(ctx context.Context, in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, wire.DefaultMaxFrame)
	for lines.Scan() {
		body := bytes.Clone(bytes.TrimSpace(lines.Bytes()))
		var m message
		if len(body) == 0 || json.Unmarshal(body, &m) != nil {
			continue
		}
		b.mu.Lock()
		sent, err := b.conn.Send(ctx, wire.Frame{Header: b.header(m), Body: body})
		if isRequest := m.ID != nil && m.Method != ""; isRequest && err == nil {
			b.waiting[sent.Stream] = request{m.ID, m.Method == "initialize"}
		} else if isRequest {
			b.fail(m.ID, err)
		}
		listen := b.streams != nil && m.Method == "notifications/initialized"
		b.mu.Unlock()
		if err != nil || m.ID != nil && m.Method != "" || b.streams == nil {
			continue
		}
		select { // a later request must not overtake a notification
		case <-b.streams.Opened(sent.Stream):
		case <-ctx.Done():
			return ctx.Err()
		}
		if listen {
			b.streams.Listen(b.sessionHeader())
		}
	}
	return lines.Err()
}

// header returns the HTTP header of a message; b.mu is held.
func (b *bridge) header(m message) http.Header {
	h := http.Header{}
	if b.streams == nil || m.Method == "initialize" {
		return h
	}
	var params struct {
		Meta struct {
			Version string `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
		Arguments json.RawMessage
	}
	_ = json.Unmarshal(m.Params, &params)
	if params.Meta.Version == "" {
		b.addSession(h)
		return h
	}
	h.Set("Mcp-Protocol-Version", params.Meta.Version)
	h.Set("Mcp-Method", m.Method)
	key := spec.NamedBy(m.Method)
	if key == "" {
		return h
	}
	var named map[string]json.RawMessage
	var name string
	_ = json.Unmarshal(m.Params, &named)
	_ = json.Unmarshal(named[key], &name)
	h.Set("Mcp-Name", spec.HeaderValue(name))
	if tool := b.tools[name]; tool != nil && m.Method == "tools/call" {
		for header, values := range mcp.ParamHeaders(tool, params.Arguments) {
			h[header] = values
		}
	}
	return h
}

// sessionHeader returns the header of a request that is not a message.
func (b *bridge) sessionHeader() http.Header {
	b.mu.Lock()
	defer b.mu.Unlock()
	h := http.Header{}
	b.addSession(h)
	return h
}

func (b *bridge) addSession(h http.Header) {
	if b.session != "" {
		h.Set("Mcp-Session-Id", b.session)
	}
	if spec.Of(b.version).VersionHeader {
		h.Set("Mcp-Protocol-Version", b.version)
	}
}

// receive writes the messages of the server as lines. A request whose stream ends without a response gets an error.
func (b *bridge) receive(ctx context.Context) {
	for {
		f, err := b.conn.Recv(ctx)
		if err != nil {
			return
		}
		b.mu.Lock()
		b.take(f)
		b.mu.Unlock()
	}
}

// take handles one frame; b.mu is held, so that a frame cannot precede the note of its request.
func (b *bridge) take(f wire.Frame) {
	asked, waiting := b.waiting[f.Stream]
	var m message
	isMessage := f.Err == nil && json.Unmarshal(f.Body, &m) == nil
	if asked.initialize && f.Header != nil { // only set in the first event of a stream
		b.session = f.Header.Get("Mcp-Session-Id")
	}
	hasID := m.ID != nil && string(m.ID) != "null"
	if isMessage && (m.Method != "" || hasID) {
		if asked.initialize && m.Method == "" {
			b.version = m.Result.ProtocolVersion
		}
		for _, tool := range m.Result.Tools {
			var named struct{ Name string }
			if _ = json.Unmarshal(tool, &named); len(b.tools) < maxGiven {
				b.tools[named.Name] = tool
			}
		}
		b.write(f.Body)
		if m.Method == "" {
			delete(b.waiting, f.Stream)
			waiting = false
		}
	}
	if !f.End || !waiting {
		return
	}
	delete(b.waiting, f.Stream)
	switch failed := f.Status/100 != 2 && f.Status != 0; {
	case f.Err != nil:
		b.fail(asked.id, f.Err)
	case isMessage && m.Error != nil: // without an ID: the server did not read the request
		b.write(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":%s}`, asked.id, m.Error))
	case failed:
		b.fail(asked.id, &wire.StatusError{Status: f.Status, Header: f.Header, Body: f.Body})
	case b.streams != nil:
		b.fail(asked.id, errors.New("the server ended the HTTP response without a response to the request"))
	}
}

// internalError is the code of JSON-RPC for a request that could not be processed.
const internalError = -32603

// fail answers a request for a server that did not; b.mu is held.
func (b *bridge) fail(id json.RawMessage, err error) {
	b.write(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, id, internalError,
		text(err.Error())))
}

// write writes a message as one line.
func (b *bridge) write(body []byte) {
	var line bytes.Buffer
	if bytes.ContainsAny(body, "\r\n") && json.Compact(&line, body) == nil {
		body = line.Bytes()
	}
	_, _ = b.out.Write(append(bytes.Clone(body), '\n'))
}

// endTime is how long the server may take to end the session.
const endTime = 2 * time.Second

// end ends the session of the server.
func (b *bridge) end(ctx context.Context) {
	header := b.sessionHeader()
	if b.streams == nil || header.Get("Mcp-Session-Id") == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTime)
	defer cancel()
	_, _ = b.streams.Delete(ctx, header)
}
