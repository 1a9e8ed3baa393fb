package wire

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	connectTimeout = 10 * time.Second
	maxRedirects   = 3
)

// An httpConn talks Streamable HTTP: each frame is a POST of its own, and what comes back on it is a stream of its
// own. With an endpoint of its own it is the older HTTP+SSE transport, where answers come on one GET stream.
type httpConn struct {
	*inbox
	target   Target
	endpoint string // where frames are posted
	log      *Transcript
	client   *http.Client
	ctx      context.Context // of the whole connection; cancelled by Close
	cancel   context.CancelFunc
	wg       sync.WaitGroup
	once     sync.Once

	mu       sync.Mutex
	shutDown bool           // Close was called: no stream may be opened any more
	count    map[string]int // streams opened so far, by method
	streams  map[string]*exchange
}

// errClosed is why nothing can be sent any more.
var errClosed = errors.New("the connection is closed")

// An exchange is a request under way and the stream that is its answer.
type exchange struct {
	cut    context.CancelCauseFunc
	opened chan struct{} // closed when the header of the answer is there, or the exchange is over
	once   sync.Once
}

func (e *exchange) open() { e.once.Do(func() { close(e.opened) }) }

func dialHTTP(t Target, log *Transcript) (*httpConn, error) {
	if u, err := url.Parse(t.URL); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, &Error{Target: t.String(), Doing: "connect to", Err: errors.New("not an http or https URL")}
	}
	ctx, cancel := context.WithCancel(context.Background())
	return &httpConn{inbox: newInbox(), target: t, endpoint: t.URL, log: log, client: newClient(t), ctx: ctx, cancel: cancel,
		count: map[string]int{}, streams: map[string]*exchange{}}, nil
}

func newClient(t Target) *http.Client {
	transport := &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: connectTimeout, KeepAlive: 30 * time.Second}).DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: t.Insecure},
		TLSHandshakeTimeout:    connectTimeout,
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    64,
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: 32 << 10,
	}
	if t.DialContext != nil {
		transport.Proxy, transport.DialContext = nil, t.DialContext
	}
	return &http.Client{Transport: transport, CheckRedirect: sameOrigin}
}

// sameOrigin lets a redirect pass only within the origin and only with its method: what the person gave us for one
// server (headers, arguments) is not for another one to have.
func sameOrigin(next *http.Request, via []*http.Request) error {
	first := via[0].URL
	refuse := func(format string, args ...any) error { return &redirectError{fmt.Sprintf(format, args...)} }
	switch {
	case len(via) > maxRedirects:
		return refuse("more than %d redirects", maxRedirects)
	case next.URL.Scheme != first.Scheme || next.URL.Host != first.Host:
		return refuse("redirected to another origin, %s://%s; give that URL if you trust it", next.URL.Scheme, next.URL.Host)
	case next.Method != via[0].Method:
		return refuse("redirected to %s, which turns the %s into a %s; give that URL instead", next.URL.Path, via[0].Method, next.Method)
	}
	return nil
}

// A redirectError is why a redirect is not followed.
type redirectError struct{ text string }

func (e *redirectError) Error() string { return e.text }

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

// Opened tells when the server has answered the request of a stream.
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

// Delete asks the server to end its session.
func (c *httpConn) Delete(ctx context.Context, header http.Header) (Frame, error) {
	req, err := c.request(http.MethodDelete, c.target.URL, header, nil)
	if err != nil {
		return Frame{}, err
	}
	answer := make(chan Frame, 1)
	if f, err := c.open(req, nil, func(req *http.Request, stream string) { answer <- c.alone(req, stream) }); err != nil {
		return f, err
	}
	select {
	case f := <-answer:
		return f, f.Err
	case <-ctx.Done():
		return Frame{}, context.Cause(ctx)
	}
}

// alone does a request whose answer is not part of the conversation.
func (c *httpConn) alone(req *http.Request, stream string) Frame {
	resp, err := c.client.Do(req)
	if err != nil {
		return Frame{Stream: stream, Err: c.failure(err)}
	}
	return c.log.Record(c.whole(resp, stream))
}

// request makes a request with the target's header and the frame's.
func (c *httpConn) request(method, address string, header http.Header, body []byte) (*http.Request, error) {
	req, err := http.NewRequest(method, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for _, h := range []http.Header{c.target.Header, header} {
		for name, values := range h {
			req.Header[http.CanonicalHeaderKey(name)] = append([]string(nil), values...)
		}
	}
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host // net/http takes it from here alone
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
	stream := fmt.Sprintf("%s-%d", kind, c.count[kind])
	c.streams[stream] = &exchange{cut: cancel, opened: make(chan struct{})}
	f := c.log.Record(Frame{From: Client, Stream: stream, Header: req.Header, Body: body})
	c.wg.Go(func() {
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

// converse does the request and delivers what comes back.
func (c *httpConn) converse(req *http.Request, stream string) {
	var sent atomic.Bool
	trace := &httptrace.ClientTrace{WroteHeaders: func() { sent.Store(true) }}
	resp, err := c.client.Do(req.WithContext(httptrace.WithClientTrace(req.Context(), trace)))
	c.answered(stream)
	if err != nil {
		e := c.failure(cause(req.Context(), err))
		e.Unsent = !sent.Load() || errors.As(err, new(*redirectError))
		c.deliver(Frame{Stream: stream, End: true, Err: e})
		return
	}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if kind == "text/event-stream" && resp.StatusCode/100 == 2 {
		c.events(req.Context(), resp, stream)
		return
	}
	f := c.whole(resp, stream)
	if f.Err != nil {
		f.Err = c.failure(cause(req.Context(), f.Err))
	}
	c.deliver(f)
}

// answered notes that the header of an answer is there.
func (c *httpConn) answered(stream string) {
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

// whole reads an answer that is not a stream of events.
func (c *httpConn) whole(resp *http.Response, stream string) Frame {
	defer resp.Body.Close()
	limit := c.target.maxFrame()
	f := Frame{From: Server, Stream: stream, Status: resp.StatusCode, Header: resp.Header, End: true}
	body, err := io.ReadAll(io.LimitReader(resp.Body, int64(limit)+1))
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

// deliver records the frame, if it is more than the mark of an end, and hands it to Recv.
func (c *httpConn) deliver(f Frame) {
	f.From = Server
	ours := c.ctx.Err() != nil || errors.Is(f.Err, ErrCut) // we ended it: nothing crossed the wire
	if f.Body != nil || f.Status != 0 || f.Event != nil || (f.Err != nil && !ours) {
		f = c.log.Record(f)
	}
	c.put(f)
}

// failure names the target and what to try.
func (c *httpConn) failure(err error) *Error {
	var address *url.Error
	if errors.As(err, &address) {
		err = address.Err // its text repeats the URL, query and all
	}
	return &Error{Target: c.target.String(), Doing: "talk to", Err: err, Hint: hint(err)}
}

// cause prefers the reason why a stream was cut to what the cut looked like from inside.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// Close cuts all streams and waits for them.
func (c *httpConn) Close() error {
	c.once.Do(func() {
		c.mu.Lock()
		c.shutDown = true
		c.mu.Unlock()
		c.shut()
		c.cancel()
		c.wg.Wait()
		c.client.CloseIdleConnections()
		c.finish(io.EOF)
	})
	return nil
}
