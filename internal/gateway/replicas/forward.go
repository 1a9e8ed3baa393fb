package replicas

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// newClient returns the client for requests to other replicas. A replica whose machine has disappeared is noticed by
// probes of its connections, because a call may take any time.
func newClient() *http.Client {
	dialer := &net.Dialer{Timeout: time.Second,
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: 2 * time.Second, Count: 3}}
	return &http.Client{
		Transport: &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 256, DisableCompression: true,
			IdleConnTimeout: 30 * time.Second, TLSHandshakeTimeout: 2 * time.Second},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// The headers that belong to one connection.
var hop = []string{"Connection", "Keep-Alive", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade",
	"Expect"}

// Forward implements serve.Replicas. The request has the credentials of its caller, which the other replica checks again.
func (r *Replicas) Forward(to string, in *http.Request, body []byte) (*http.Response, error) {
	base, err := r.urlOf(in.Context(), to)
	if err != nil {
		return nil, err
	}
	out, err := http.NewRequestWithContext(in.Context(), in.Method, base+in.URL.RequestURI(), bytes.NewReader(body))
	if err != nil {
		return nil, serve.ErrNotDelivered
	}
	out.Header = in.Header.Clone()
	for _, name := range hop {
		out.Header.Del(name)
	}
	out.Header.Set(serve.ForwardedTo, to)
	out.Header.Del("Origin") // this replica has checked it
	resp, err := r.client.Do(out)
	var dial *net.OpError
	if errors.As(err, &dial) && dial.Op == "dial" && in.Context().Err() == nil {
		r.removeReplica(to)
		return nil, serve.ErrNotDelivered
	}
	if err == nil && resp.StatusCode == http.StatusMisdirectedRequest {
		_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<10))
		r.removeReplica(to) // it may be about to close its connections
	}
	return resp, err
}

// urlOf returns the URL of a replica.
func (r *Replicas) urlOf(ctx context.Context, id string) (string, error) {
	r.mu.Lock()
	address, ok := r.urls[id]
	r.mu.Unlock()
	if ok {
		return address, nil
	}
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	err := r.db.QueryRowContext(ctx, `SELECT url FROM gateway_replicas WHERE id = $1`, id).Scan(&address)
	if errors.Is(err, sql.ErrNoRows) {
		return "", serve.ErrNotDelivered
	}
	if err != nil {
		return "", errors.Join(serve.ErrNotDelivered, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rememberLocked(id, address)
	return r.urls[id], nil
}

func (r *Replicas) rememberLocked(id, address string) {
	if len(r.urls) >= maxKnown {
		clear(r.urls)
	}
	r.urls[id] = strings.TrimSuffix(address, "/")
}

// removeReplica drops what is known about a replica that has stopped or is about to.
func (r *Replicas) removeReplica(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.urls, id)
	for key, l := range r.known {
		if l.owner == id {
			delete(r.known, key)
		}
	}
	r.client.CloseIdleConnections()
}
