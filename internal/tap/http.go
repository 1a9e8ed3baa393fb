package tap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/tap/fault"
)

// headerTimeout is how long a client may take to send the header of a request.
const headerTimeout = 30 * time.Second

// HTTP forwards requests from the listener to the server and records them until ctx is done.
func HTTP(ctx context.Context, o Options, listener net.Listener, server *url.URL) error {
	rec := newRecorder(o)
	rec.start()
	p := &proxy{queue: rec.queue, server: server, own: listener.Addr().String(), conns: map[string]int{}}
	if o.Faults != nil {
		p.injector = newHTTPInjector(p, &o)
	}
	front := &http.Server{Handler: p.handler(), ReadHeaderTimeout: headerTimeout, ErrorLog: log.New(io.Discard, "", 0)}
	stop := context.AfterFunc(ctx, func() { _ = front.Close() })
	defer stop()
	err := front.Serve(listener)
	p.awaitExchanges(flushGrace)
	rec.end(nil, flushGrace)
	writeFaults(o, rec)
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// A proxy forwards HTTP exchanges and hands copies to the recorder.
type proxy struct {
	queue  *queue
	server *url.URL
	own    string // our address
	count  atomic.Int64
	active atomic.Int64 // exchanges in progress

	transport *http.Transport
	injector  *httpInjector // nil without faults

	mu    sync.Mutex
	conns map[string]int // connection numbers by session ID
}

// awaitExchanges waits until the exchanges of closed connections are recorded.
func (p *proxy) awaitExchanges(limit time.Duration) {
	for end := time.Now().Add(limit); p.active.Load() > 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
}

// An exchange is one request with its response.
type exchange struct{ request, response *stream }

// exchangeKey is the context key of an exchange.
type exchangeKey struct{}

func (p *proxy) handler() http.Handler {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableCompression = true // the client's own Accept-Encoding decides
	transport.MaxIdleConnsPerHost = 64
	p.transport = transport
	reverse := &httputil.ReverseProxy{Rewrite: p.rewrite, ModifyResponse: p.respond, ErrorHandler: p.fail,
		FlushInterval: -1, Transport: transport, ErrorLog: log.New(io.Discard, "", 0)}
	next := p.recorded(reverse)
	if p.injector != nil {
		next = p.injector.wrap(reverse)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.active.Add(1)
		defer p.active.Add(-1)
		name := fmt.Sprintf("%s-%d", strings.ToLower(r.Method), p.count.Add(1))
		conn := p.conn(r.Header.Get("Mcp-Session-Id"))
		ex := &exchange{&stream{from: wire.Client, name: name, conn: conn, http: true},
			&stream{from: wire.Server, name: name, conn: conn, http: true}}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), exchangeKey{}, ex)))
	})
}

// recorded returns a handler that records requests and passes them on.
func (p *proxy) recorded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.begin(r.Context().Value(exchangeKey{}).(*exchange), r)
		next.ServeHTTP(w, r)
	})
}

// conn returns the connection number of a session. Requests without a session belong to the first.
func (p *proxy) conn(session string) int {
	if session == "" {
		return 1
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, known := p.conns[session]; !known {
		if len(p.conns) >= maxOpen {
			clear(p.conns)
		}
		p.conns[session] = len(p.conns) + 1
	}
	return p.conns[session]
}

// begin records the head of a request, and its body as it is read.
func (p *proxy) begin(ex *exchange, r *http.Request) {
	empty := r.Body == nil || r.Body == http.NoBody
	p.put(item{stream: ex.request, head: &head{header: p.requestHeader(r)}, end: empty})
	if !empty {
		r.Body = &body{ReadCloser: r.Body, proxy: p, stream: ex.request, size: r.ContentLength}
	}
}

// requestHeader returns the header of a request for the recording, with its path.
func (p *proxy) requestHeader(r *http.Request) http.Header {
	header := r.Header.Clone()
	if r.URL.Path != p.server.Path {
		header[":path"] = []string{redact.URL(r.URL.RequestURI())} // otherwise it is that of the session
	}
	return header
}

func (p *proxy) put(i item) {
	i.at = time.Now()
	p.queue.put(i)
	p.queue.signal()
}

// rewrite addresses a request to the server. All else stays as the client sent it: a Host or an Origin that is not
// ours is for the server to reject.
func (p *proxy) rewrite(r *httputil.ProxyRequest) {
	for _, name := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"} {
		if values, sent := r.In.Header[name]; sent {
			r.Out.Header[name] = values
		}
	}
	r.Out.URL.Scheme, r.Out.URL.Host, r.Out.URL.RawQuery = p.server.Scheme, p.server.Host, r.In.URL.RawQuery
	if path := r.In.URL.Path; path == "" || path == "/" {
		r.Out.URL.Path, r.Out.URL.RawPath = p.server.Path, p.server.RawPath
	}
	if r.Out.URL.Path == p.server.Path && r.In.URL.RawQuery == "" {
		r.Out.URL.RawQuery = p.server.RawQuery
	}
	if p.isOwn(r.In.Host) {
		r.Out.Host = p.server.Host
	}
	if origin, err := url.Parse(r.In.Header.Get("Origin")); err == nil && origin.Host != "" && p.isOwn(origin.Host) {
		r.Out.Header.Set("Origin", p.server.Scheme+"://"+p.server.Host)
	}
}

// isOwn reports whether a host is ours: our address, or localhost with our port.
func (p *proxy) isOwn(host string) bool {
	_, port, _ := net.SplitHostPort(p.own)
	return host == p.own || host == "localhost:"+port || host == "127.0.0.1:"+port || host == "[::1]:"+port
}

// respond records a response as it is read, and keeps the client on tap where the server names its own address.
func (p *proxy) respond(r *http.Response) error {
	ex := r.Request.Context().Value(exchangeKey{}).(*exchange)
	server, own := p.server.Scheme+"://"+p.server.Host, "http://"+p.own
	received := &head{r.StatusCode, r.Header.Clone()}
	if at, found := strings.CutPrefix(r.Header.Get("Location"), server); found && (at == "" || at[0] == '/') {
		r.Header.Set("Location", own+at)
	}
	if p.injector != nil && r.StatusCode != http.StatusSwitchingProtocols {
		if err := p.injector.response(ex, r, received); err != nil {
			return err
		}
	} else if p.record(ex, r, received); r.StatusCode == http.StatusSwitchingProtocols {
		return nil
	}
	if r.Request.Method == http.MethodGet && strings.HasPrefix(r.Header.Get("Content-Type"), "text/event-stream") &&
		r.ContentLength < 0 && r.Header.Get("Content-Encoding") == "" {
		r.Body = &endpointBody{ReadCloser: r.Body, server: server, own: own}
	}
	return nil
}

// record records a response as it is read.
func (p *proxy) record(ex *exchange, r *http.Response, received *head) {
	p.put(item{stream: ex.response, head: received})
	if r.StatusCode != http.StatusSwitchingProtocols {
		r.Body = &body{ReadCloser: r.Body, proxy: p, stream: ex.response, size: r.ContentLength,
			client: r.Request.Context()}
	}
}

// fail responds to a request that could not be forwarded.
func (p *proxy) fail(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, fault.ErrClose) { // it is recorded
		panic(http.ErrAbortHandler)
	}
	ex := r.Context().Value(exchangeKey{}).(*exchange)
	if r.Context().Err() != nil { // the client has disconnected
		p.put(item{stream: ex.response, end: true, err: errClientClosed})
		return
	}
	text := fmt.Sprintf("mcptest tap: cannot reach %s://%s: %v\n", p.server.Scheme, p.server.Host,
		redact.Text(err.Error()))
	p.put(item{stream: ex.response, head: &head{status: http.StatusBadGateway}, end: true,
		err: errors.New(strings.TrimSpace(text))})
	http.Error(w, text, http.StatusBadGateway)
}
