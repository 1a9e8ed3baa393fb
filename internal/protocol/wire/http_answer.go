package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
)

// converse sends the request and delivers its response.
func (c *httpConn) converse(req *http.Request, stream string) {
	var sent atomic.Bool
	trace := &httptrace.ClientTrace{WroteHeaders: func() { sent.Store(true) }}
	resp, err := c.do(req.WithContext(httptrace.WithClientTrace(req.Context(), trace)), stream)
	c.onResponse(stream)
	if err != nil {
		e := c.failure(cause(req.Context(), err))
		e.Unsent = !sent.Load() || isSafeToRetry(err)
		c.deliver(Frame{Stream: stream, End: true, Err: e})
		return
	}
	if isEvents(resp) && resp.StatusCode/100 == 2 {
		c.events(req.Context(), resp, stream)
		return
	}
	f := c.readBody(resp, stream)
	if f.Err != nil {
		f.Err = c.failure(cause(req.Context(), f.Err))
	}
	c.deliver(f)
}

// isEvents reports whether a response is a stream of events.
func isEvents(resp *http.Response) bool {
	announced := resp.Header.Get("Content-Type")
	if announced == "application/json" { // nearly all are
		return false
	}
	kind, _, _ := mime.ParseMediaType(announced)
	return kind == "text/event-stream"
}

// onResponse records that the header of a response has arrived.
func (c *httpConn) onResponse(stream string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.streams[stream]; e != nil {
		e.open()
	}
}

// events delivers the events of a stream one by one.
func (c *httpConn) events(ctx context.Context, resp *http.Response, stream string) {
	defer resp.Body.Close()
	reader := newEventReader(resp.Body, c.target.maxFrame())
	status, header := resp.StatusCode, resp.Header
	for {
		f, err := reader.next()
		f.Stream, f.Status, f.Header = stream, status, header
		switch {
		case err == nil:
			if f.Err != nil {
				f.Err = c.failure(f.Err)
			}
			c.deliver(f)
			status, header = 0, nil
		case errors.Is(err, io.EOF):
			f.End = true
			c.deliver(f)
			return
		default:
			f.End, f.Err = true, c.failure(cause(ctx, err))
			c.deliver(f)
			return
		}
	}
}

// readBody reads a response that is not a stream of events.
func (c *httpConn) readBody(resp *http.Response, stream string) Frame {
	defer resp.Body.Close()
	limit := c.target.maxFrame()
	f := Frame{From: Server, Stream: stream, Status: resp.StatusCode, Header: resp.Header, End: true}
	body, err := readAll(io.LimitReader(resp.Body, int64(limit)+1), min(resp.ContentLength, int64(limit)))
	switch {
	case len(body) > limit:
		f.Body, f.Err = bytes.Clone(body[:min(cutKeep, limit)]), &LimitError{Limit: limit}
		f.Fault = fmt.Sprintf("body is over the limit of %d bytes; only its first %d are kept", limit, len(f.Body))
	case err != nil:
		f.Body, f.Err, f.Fault = body, err, FaultCut
	case len(body) > 0:
		f.Body = body
	}
	return f
}

// maxTrusted is the maximum buffer allocated for a response because of its Content-Length.
const maxTrusted = 64 << 10

// readAll reads a body to its end; size is its announced length, -1 if unknown.
func readAll(r io.Reader, said int64) ([]byte, error) {
	if said <= 0 || said > maxTrusted {
		return io.ReadAll(r)
	}
	// so that the end is detected without growing the buffer
	body := bytes.NewBuffer(make([]byte, 0, said+bytes.MinRead))
	_, err := body.ReadFrom(r)
	return body.Bytes(), err
}

// deliver records the frame, unless it only marks the end of a stream, and passes it to Recv.
func (c *httpConn) deliver(f Frame) {
	f.From = Server
	ours := c.ctx.Err() != nil || errors.Is(f.Err, ErrCut) // we closed it: nothing was received
	if f.Body != nil || f.Status != 0 || f.Event != nil || (f.Err != nil && !ours) {
		f = c.log.Record(f)
	}
	c.put(f)
}
