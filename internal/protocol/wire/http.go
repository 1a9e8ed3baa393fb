package wire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// An httpConn uses Streamable HTTP: each frame is a separate POST, and its response is a separate stream. With
// an endpoint URL it is the older HTTP+SSE transport, where responses arrive on one GET stream.
type httpConn struct {
	*inbox
	target   Target
	endpoint string // where frames are posted
	log      *Transcript
	client   *http.Client
	ctx      context.Context // of the whole connection; cancelled by Close
	cancel   context.CancelFunc
	workers  *workerPool // runs the exchanges
	once     sync.Once

	mu       sync.Mutex
	shutDown bool           // Close was called: no stream may be opened
	count    map[string]int // streams opened so far, by method
	streams  map[string]*exchange
}

// errClosed is the error of sending on a closed connection.
var errClosed = errors.New("the connection is closed")

// An exchange is a request in flight and its response stream.
type exchange struct {
	cut    context.CancelCauseFunc
	opened chan struct{} // closed when the header of the response has arrived, or the exchange has ended
	once   sync.Once
}

func (e *exchange) open() { e.once.Do(func() { close(e.opened) }) }

func dialHTTP(t Target, log *Transcript) (*httpConn, error) {
	if u, err := url.Parse(t.URL); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, &Error{Target: t.String(), Doing: "connect to", Err: errors.New("not an http or https URL")}
	}
	ctx, cancel := context.WithCancel(context.Background())
	return &httpConn{inbox: newInbox(), target: t, endpoint: t.URL, log: log, client: newClient(t), ctx: ctx,
		cancel: cancel, workers: newCrew(ctx),
		count: map[string]int{}, streams: map[string]*exchange{}}, nil
}

// Send posts the frame. Its Header is added to the target's.
func (c *httpConn) Send(ctx context.Context, f Frame) (Frame, error) {
	if err := ctx.Err(); err != nil {
		return f, context.Cause(ctx)
	}
	req, err := c.request(http.MethodPost, c.endpoint, f.Header, f.Body)
	if err != nil {
		return f, err
	}
	return c.open(req, f.Body, c.converse)
}

// Listen opens a GET stream.
func (c *httpConn) Listen(header http.Header) string {
	req, err := c.request(http.MethodGet, c.target.URL, header, nil)
	if err != nil {
		return "" // the URL was parsed when we connected
	}
	f, _ := c.open(req, nil, c.converse)
	return f.Stream
}

// Opened returns a channel that is closed when the server has responded to the request of a stream.
func (c *httpConn) Opened(stream string) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.streams[stream]; e != nil {
		return e.opened
	}
	over := make(chan struct{})
	close(over)
	return over
}

// Delete requests the end of the server's session.
func (c *httpConn) Delete(ctx context.Context, header http.Header) (Frame, error) {
	req, err := c.request(http.MethodDelete, c.target.URL, header, nil)
	if err != nil {
		return Frame{}, err
	}
	answer := make(chan Frame, 1)
	if f, err := c.open(req, nil, func(req *http.Request,
		stream string) {
		answer <- c.alone(req, stream)
	}); err != nil {
		return f, err
	}
	select {
	case f := <-answer:
		return f, f.Err
	case <-ctx.Done():
		return Frame{}, context.Cause(ctx)
	}
}

// alone sends a request whose response is not part of the message exchange.
func (c *httpConn) alone(req *http.Request, stream string) Frame {
	resp, err := c.do(req, stream)
	if err != nil {
		return Frame{Stream: stream, Err: c.failure(err)}
	}
	return c.log.Record(c.readBody(resp, stream))
}

// request creates a request with the target's header and the frame's.
func (c *httpConn) request(method, address string, header http.Header, body []byte) (*http.Request, error) {
	req, err := http.NewRequest(method, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for _, h := range []http.Header{c.target.Header, header} {
		for name, values := range h {
			req.Header[http.CanonicalHeaderKey(name)] = slices.Clip(values) // changes to them must not affect ours
		}
	}
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host // net/http reads it only from here
	}
	if c.target.Credentials != nil {
		c.target.Credentials.Authorize(req)
	}
	if method == http.MethodPost && req.Header.Get("Content-Type") == "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if req.Header.Get("Accept") == "" {
		accept := "text/event-stream"
		if method == http.MethodPost {
			accept = "application/json, text/event-stream"
		}
		req.Header.Set("Accept", accept)
	}
	return req, nil
}

// open records the request and runs do with it in a stream that Cut and Close can end.
func (c *httpConn) open(req *http.Request, body []byte, do func(*http.Request, string)) (Frame, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shutDown {
		return Frame{}, &Error{Target: c.target.String(), Doing: "send to", Err: errClosed}
	}
	ctx, cancel := context.WithCancelCause(c.ctx)
	kind := strings.ToLower(req.Method)
	c.count[kind]++
	stream := kind + "-" + strconv.Itoa(c.count[kind])
	c.streams[stream] = &exchange{cut: cancel, opened: make(chan struct{})}
	f := c.log.Record(Frame{From: Client, Stream: stream, Header: req.Header, Body: body})
	c.workers.run(func() {
		do(req.WithContext(ctx), stream)
		c.Cut(stream)
	})
	return f, nil
}

// Cut ends one stream.
func (c *httpConn) Cut(stream string) {
	c.mu.Lock()
	e := c.streams[stream]
	delete(c.streams, stream)
	c.mu.Unlock()
	if e != nil {
		e.cut(ErrCut)
		e.open()
	}
}

// failure adds the target and a hint.
func (c *httpConn) failure(err error) *Error {
	var address *url.Error
	if errors.As(err, &address) {
		err = address.Err // its text repeats the URL, query and all
	}
	if c.target.DialContext == nil {
		err = throughProxy(c.target.URL, err)
	}
	return &Error{Target: c.target.String(), Doing: "reach", Err: err, Hint: hintOf(err)}
}

// cause returns the reason why a stream was closed, rather than the resulting error.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// Close closes all streams and waits for them.
func (c *httpConn) Close() error {
	c.once.Do(func() {
		c.mu.Lock()
		c.shutDown = true
		c.mu.Unlock()
		c.shut()
		c.cancel()
		c.workers.wait()
		c.client.CloseIdleConnections()
		c.finish(io.EOF)
	})
	return nil
}
