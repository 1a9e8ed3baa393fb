package tap

import (
	"bytes"
	"context"
	"io"
	"sync/atomic"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/tap/fault"
)

// A body is read by the other side and recorded.
type body struct {
	io.ReadCloser
	proxy  *proxy
	stream *stream
	size   int64 // announced; -1 if unknown
	read   int64
	client context.Context // of a response: it ends when the client disconnects
	ended  atomic.Bool

	complete bool // read to its end
}

var errClientClosed = fault.ErrClientClosed

// Read records what it returns. After the end of a request it does not read again: http.Transport does so to see that
// there is no more, and would close the connection to the server if http.Server has closed the body by then, which it
// does when the response begins.
func (b *body) Read(p []byte) (int, error) {
	if b.complete {
		return 0, io.EOF
	}
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.proxy.put(item{stream: b.stream, data: p[:n]})
		b.read += int64(n)
	}
	switch {
	case err == io.EOF || err == nil && b.size > 0 && b.read == b.size:
		b.complete = err == io.EOF || b.client == nil
		b.end(nil)
	case err != nil && b.client != nil && b.client.Err() != nil:
		b.end(errClientClosed)
	case err != nil:
		b.end(err)
	}
	return n, err
}

// Close ends the recording of a body that was not read to its end: its client has disconnected, unless there is nothing
// to read.
func (b *body) Close() error {
	var err error
	if b.client != nil && (b.read > 0 || b.client.Err() != nil) {
		err = errClientClosed
	}
	b.end(err)
	return b.ReadCloser.Close()
}

func (b *body) end(err error) {
	if !b.ended.Swap(true) {
		b.proxy.put(item{stream: b.stream, end: true, err: err})
	}
}

// An endpointBody is a stream of the transport of 2024-11-05, whose first event is the URL for messages. If it is an
// absolute URL of the server, the client would not send its messages through tap, or reject the URL.
type endpointBody struct {
	io.ReadCloser
	server, own string
	first       []byte // the beginning of the stream, until it is known
	ready       []byte // to be returned
	passed      bool   // the first event was returned
}

// maxEndpoint is the maximum size of the first event.
const maxEndpoint = 8 << 10

// Read returns the stream with the origin of tap in the first event.
func (b *endpointBody) Read(p []byte) (int, error) {
	for {
		if len(b.ready) > 0 {
			n := copy(p, b.ready)
			b.ready = b.ready[n:]
			return n, nil
		}
		if b.passed {
			return b.ReadCloser.Read(p)
		}
		n, err := b.ReadCloser.Read(p)
		b.first = append(b.first, p[:n]...)
		if err == nil && b.isPartial() {
			continue
		}
		b.passed, b.ready = true, b.rewritten()
		if len(b.ready) == 0 {
			return 0, err
		}
	}
}

// isPartial reports whether the stream may begin with an endpoint event that is not complete.
func (b *endpointBody) isPartial() bool {
	const name = "event:"
	begins := bytes.HasPrefix(b.first, []byte(name)) || bytes.HasPrefix([]byte(name), b.first)
	return begins && eventEnd(b.first) < 0 && len(b.first) < maxEndpoint
}

func (b *endpointBody) rewritten() []byte {
	end := eventEnd(b.first)
	if end < 0 {
		return b.first
	}
	f, err := wire.Events(bytes.NewReader(b.first[:end]))()
	if err != nil || f.Event.Name != "endpoint" || !bytes.HasPrefix(f.Body, []byte(b.server+"/")) {
		return b.first
	}
	return append(bytes.Replace(b.first[:end], []byte(b.server), []byte(b.own), 1), b.first[end:]...)
}
