package tap

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"net/http"
	"net/http/httputil"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/tap/fault"
)

// An httpInjector injects faults into HTTP exchanges. It is used only if there are faults.
type httpInjector struct {
	proxy               *proxy
	selector            *fault.Selector
	requests, responses turns // for reordering
	limit               int   // bytes of a message that can have a fault; larger ones pass unchanged

	mu      sync.Mutex
	expired map[string]bool // session IDs
}

func newHTTPInjector(p *proxy, o *Options) *httpInjector {
	return &httpInjector{proxy: p, selector: fault.NewSelector(o.Faults), limit: cmp.Or(o.maxFaulty, maxMessage),
		expired: map[string]bool{}}
}

// wrap returns a handler that injects the faults of requests. The request is recorded as the client sent it.
func (h *httpInjector) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ex := r.Context().Value(exchangeKey{}).(*exchange)
		if h.isExpired(r) {
			h.begin(ex, r, nil, nil)
			h.respond(w, ex, http.StatusNotFound, nil)
			return
		}
		if r.Method != http.MethodPost {
			h.proxy.begin(ex, r)
			next.ServeHTTP(w, r)
			return
		}
		body, whole, err := h.readMessage(r.Body)
		if err != nil {
			h.begin(ex, r, body, nil)
			return
		}
		if !whole {
			r.Body = unread(body, r.Body)
			h.proxy.begin(ex, r)
			next.ServeHTTP(w, r)
			return
		}
		m := mcp.Read(wire.Frame{From: wire.Client, Stream: ex.request.name, Body: body})
		rule, injected := h.selector.Select(fault.HeadOf(&m), wire.Client, ex.request.name, false)
		h.begin(ex, r, body, injected)
		h.requests.release()
		if rule != nil && !h.request(w, r, ex, rule, &m, &body) {
			return
		}
		r.ContentLength = int64(len(body))
		if r.Body = io.NopCloser(bytes.NewReader(body)); rule != nil && rule.Kind == fault.Slow {
			r.Body = slowBody(r.Context(), rule, body)
		}
		next.ServeHTTP(w, r)
	})
}

// readMessage reads a body up to the limit of a message. Whole is false if there is more.
func (h *httpInjector) readMessage(body io.Reader) (text []byte, whole bool, err error) {
	text, err = io.ReadAll(io.LimitReader(body, int64(h.limit)+1))
	return text, len(text) <= h.limit, err
}

// unread returns a body from which a part was read.
func unread(part []byte, rest io.ReadCloser) io.ReadCloser {
	return struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(part), rest), rest}
}

// begin records a request whose body has been read.
func (h *httpInjector) begin(ex *exchange, r *http.Request, body []byte, injected *fault.Injection) {
	h.proxy.put(item{stream: ex.request, head: &head{header: h.proxy.requestHeader(r)}, data: body, end: true,
		injected: injected})
}

// respond responds in place of the server, and records that.
func (h *httpInjector) respond(w http.ResponseWriter, ex *exchange, status int, body []byte) {
	if body != nil {
		w.Header().Set("Content-Type", "application/json")
	}
	switch status {
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "1")
	}
	h.proxy.put(item{stream: ex.response, head: &head{status, w.Header().Clone()}, data: body, end: true})
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// isExpired reports whether the session of a request has expired by a fault.
func (h *httpInjector) isExpired(r *http.Request) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	id := r.Header.Get("Mcp-Session-Id")
	return id != "" && h.expired[id]
}

// request applies the fault of a request. It reports whether the request is still to be forwarded.
func (h *httpInjector) request(w http.ResponseWriter, r *http.Request, ex *exchange, rule *fault.Rule, m *mcp.Message,
	body *[]byte) bool {
	switch rule.Kind {
	case fault.HTTPStatus:
		h.respond(w, ex, rule.Number(), nil)
	case fault.ExpiredSession:
		h.mu.Lock()
		h.expired[r.Header.Get("Mcp-Session-Id")] = true
		h.mu.Unlock()
		h.respond(w, ex, http.StatusNotFound, nil)
	case fault.Error:
		h.respond(w, ex, http.StatusOK, rule.Changed(*body, m))
	case fault.Drop:
		h.respond(w, ex, http.StatusAccepted, nil)
	case fault.Close:
		h.proxy.put(item{stream: ex.response, end: true, err: fault.ErrClose})
		panic(http.ErrAbortHandler)
	case fault.Hang:
		<-r.Context().Done()
		h.proxy.put(item{stream: ex.response, end: true, err: errClientClosed})
	case fault.Delay:
		return wait(r.Context(), rule.Duration())
	case fault.Reorder:
		h.requests.wait(r.Context(), rule.Duration())
		return r.Context().Err() == nil
	case fault.Duplicate:
		h.duplicate(r, *body)
		return true
	default:
		*body = rule.Changed(*body, m)
		return true
	}
	return false
}

// duplicate sends a request to the server once more and drops the response.
func (h *httpInjector) duplicate(r *http.Request, body []byte) {
	copied := r.Clone(r.Context())
	copied.Body, copied.ContentLength, copied.RequestURI = io.NopCloser(bytes.NewReader(body)), int64(len(body)), ""
	h.proxy.rewrite(&httputil.ProxyRequest{In: r, Out: copied})
	if response, err := h.proxy.transport.RoundTrip(copied); err == nil {
		_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, maxMessage))
		_ = response.Body.Close()
	}
}

// slowBody returns a body that is read in small pieces.
func slowBody(ctx context.Context, rule *fault.Rule, body []byte) io.ReadCloser {
	in, out := io.Pipe()
	go func() {
		fault.Drip(body, rule.Duration(), ctx.Done(), func(piece []byte) error {
			_, err := out.Write(piece)
			return err
		})
		_ = out.Close()
	}()
	return in
}

// wait waits for a time. It reports whether the time has passed: the client may close the connection before.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

// turns holds exchanges back until the next one begins.
type turns struct {
	mu   sync.Mutex
	held []chan struct{}
}

func (t *turns) wait(ctx context.Context, limit time.Duration) {
	turn := make(chan struct{})
	t.mu.Lock()
	t.held = append(t.held, turn)
	t.mu.Unlock()
	select {
	case <-turn:
	case <-ctx.Done():
	case <-time.After(limit):
	}
}

// release lets held exchanges continue after the one that is passed on now.
func (t *turns) release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, turn := range t.held {
		time.AfterFunc(turnGap, func() { close(turn) })
	}
	t.held = nil
}

// turnGap is the time that the next exchange gets before the one that was held back.
const turnGap = 100 * time.Millisecond
