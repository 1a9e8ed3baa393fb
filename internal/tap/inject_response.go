package tap

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/tap/fault"
)

// isEventStream reports whether a response consists of server-sent events that can be read.
func isEventStream(header http.Header) bool {
	return strings.HasPrefix(header.Get("Content-Type"), "text/event-stream") && header.Get("Content-Encoding") == ""
}

// response records a response and injects faults into its messages. The recording has what the server sent.
func (h *httpInjector) response(ex *exchange, r *http.Response, first *head) error {
	if isEventStream(r.Header) {
		h.proxy.put(item{stream: ex.response, head: first})
		h.events(ex, r)
		return nil
	}
	body, whole, err := h.readMessage(r.Body)
	if !whole {
		r.Body = unread(body, r.Body)
		h.proxy.record(ex, r, first)
		return nil
	}
	_ = r.Body.Close()
	if err != nil {
		h.proxy.put(item{stream: ex.response, head: first, data: body, end: true, err: err})
		return fault.ErrClose
	}
	m := mcp.Read(wire.Frame{From: wire.Server, Stream: ex.response.name, Body: body})
	rule, injected := h.selector.Select(fault.HeadOf(&m), wire.Server, ex.response.name, false)
	h.proxy.put(item{stream: ex.response, head: first, data: body, end: true, injected: injected})
	h.responses.release()
	set := func(body []byte) {
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.Header.Set("Content-Length", fmt.Sprint(len(body)))
	}
	if set(body); rule == nil {
		return nil
	}
	return h.single(r, rule, &m, body, set)
}

// single applies the fault of a response with one message.
func (h *httpInjector) single(r *http.Response, rule *fault.Rule, m *mcp.Message, body []byte, set func([]byte)) error {
	ctx := r.Request.Context()
	switch rule.Kind {
	case fault.Delay:
		wait(ctx, rule.Duration())
	case fault.Reorder:
		h.responses.wait(ctx, rule.Duration())
	case fault.Hang:
		<-ctx.Done()
		return fault.ErrClose
	case fault.Close:
		return fault.ErrClose
	case fault.Drop:
		set(nil)
		r.StatusCode, r.Status = http.StatusAccepted, ""
		r.Header.Del("Content-Type")
	case fault.Duplicate: // a body has one message; an event stream has any number
		event := eventOf(body)
		set(append(event, event...))
		r.Header.Set("Content-Type", "text/event-stream")
	case fault.Slow:
		r.Body = slowBody(ctx, rule, body)
	case fault.Cut: // the announced length stays, so that the connection breaks inside the message
		r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body[:len(body)/2]), brokenReader{}))
	default:
		set(rule.Changed(body, m))
	}
	return nil
}

// A brokenReader fails, and so breaks the connection to the client.
type brokenReader struct{}

// Read fails.
func (brokenReader) Read([]byte) (int, error) { return 0, fault.ErrClose }

// eventOf returns a message as a server-sent event.
func eventOf(message []byte) []byte {
	var out bytes.Buffer
	out.WriteString("event: message\n")
	for line := range bytes.Lines(message) {
		out.WriteString("data: ")
		out.Write(bytes.TrimRight(line, "\r\n"))
		out.WriteByte('\n')
	}
	if len(message) == 0 {
		out.WriteString("data: \n")
	}
	out.WriteByte('\n')
	return out.Bytes()
}

// events passes the events of a stream on with their faults.
func (h *httpInjector) events(ex *exchange, r *http.Response) {
	in, out := io.Pipe()
	source := r.Body
	r.Body, r.ContentLength = in, -1
	r.Header.Del("Content-Length")
	ctx := r.Request.Context()
	lane := fault.NewLane(func(p []byte) error { _, err := out.Write(p); return err }, eventOf)
	go func() {
		<-ctx.Done()
		lane.Stop()
		_ = source.Close()
		_ = in.CloseWithError(errClientClosed) // there is no reader
	}()
	go func() {
		err := h.copyEvents(ex, source, lane)
		_ = source.Close()
		if lane.Finish(); lane.Hung() {
			<-ctx.Done()
		}
		ended := err
		if ctx.Err() != nil {
			ended = errClientClosed
		}
		h.proxy.put(item{stream: ex.response, end: true, err: ended})
		_ = out.CloseWithError(err)
	}()
}

// copyEvents reads events until the stream ends. The error is nil at the end of the stream.
func (h *httpInjector) copyEvents(ex *exchange, source io.Reader, lane *fault.Lane) error {
	var cutter eventCutter
	var event []byte
	buffer := make([]byte, relayBuffer)
	for tooLong := false; ; {
		read, err := source.Read(buffer)
		for part := buffer[:read]; len(part) > 0; {
			n, ended := cutter.cut(part)
			event = append(event, part[:n]...)
			part = part[n:]
			if tooLong = tooLong || len(event) > h.limit; tooLong {
				h.proxy.put(item{stream: ex.response, data: event})
				if failure := lane.Part(event, ended); failure != nil {
					return failure
				}
				tooLong, event = !ended, nil
				continue
			}
			if !ended {
				continue
			}
			if failure := h.event(ex, event, lane); failure != nil {
				return failure
			}
			event = nil
		}
		switch {
		case err == nil:
			continue
		case len(event) > 0 || tooLong:
			h.proxy.put(item{stream: ex.response, data: event})
			_ = lane.Part(event, true)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		return err
	}
}

// event passes on one event.
func (h *httpInjector) event(ex *exchange, raw []byte, lane *fault.Lane) error {
	f, err := wire.Events(bytes.NewReader(raw))()
	f.From, f.Stream = wire.Server, ex.response.name
	var m mcp.Message
	if err == nil && (f.Event == nil || f.Event.Name == "" || f.Event.Name == "message") {
		m = mcp.Read(f)
	}
	rule, injected := h.selector.Select(fault.HeadOf(&m), wire.Server, ex.response.name, true)
	h.proxy.put(item{stream: ex.response, data: raw, injected: injected})
	switch {
	case rule == nil:
		return lane.Send(raw)
	case rule.Kind == fault.CutSSE:
		_ = lane.Send(raw[:len(raw)/2])
		return fault.ErrClose
	}
	return lane.Apply(rule, &m, raw)
}
