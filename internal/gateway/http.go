package gateway

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/access"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// address checks the listen address. Remote clients are allowed only as callers listed in the config.
func (r *gatewayRun) address() (string, error) {
	address := r.in.Listen
	if strings.HasPrefix(address, ":") {
		address = "127.0.0.1" + address
	}
	loopback, err := netguard.Loopback(address)
	if err == nil {
		return loopback, nil
	}
	if open, bad := netguard.Address(address); bad == nil && r.settings.Lists() && len(r.settings.Hosts) > 0 {
		return open, nil
	}
	if _, bad := netguard.Address(address); bad != nil {
		return "", &workbench.UsageError{Message: "--listen: " + err.Error()}
	}
	return "", &workbench.UsageError{Message: "--listen: " + err.Error(),
		Hint: "to allow remote clients, list callers (or roles) and hosts under gateway in the config, and use a TLS proxy"}
}

// listen opens the listener for clients.
func (r *gatewayRun) listen() (net.Listener, error) {
	address, err := r.address()
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, &workbench.UsageError{Message: "--listen: " + workbench.ListenProblem(address, err),
			Hint: "use another port, or port 0 for any free port"}
	}
	return listener, nil
}

// serveHTTP serves clients at /mcp until the run is stopped, and waits for requests in flight.
func (r *gatewayRun) serveHTTP(ctx context.Context, listener net.Listener) error {
	hosts := append(netguard.Hosts(listener.Addr()), r.settings.Hosts...)
	options := netguard.Options{Hosts: append(hosts, r.replicaHosts()...), Open: true,
		Navigable: true, Public: isConnectPage} // the authorization server sends the browser back to it
	if u, err := url.Parse(r.public); err == nil && u.Host != "" {
		options.Hosts, options.Origins = append(options.Hosts, u.Host), []string{u.Scheme + "://" + u.Host}
	}
	handler, err := netguard.New(r.routes(), options)
	if err != nil {
		return err
	}
	server := netguard.Server(r.probes(handler))
	fmt.Fprintf(r.w.Out, "mcptest gateway serves http://%s/mcp\n", listener.Addr())
	if r.door.token != "" {
		fmt.Fprintf(r.w.Out, "clients must send the header Authorization: Bearer %s\n", r.door.token)
	}
	run, impatient, hide := r.show(ctx, "http://"+listener.Addr().String()+"/mcp")
	err = r.serveUntil(run, impatient, server, listener)
	return errors.Join(err, hide())
}

// serveUntil serves until the run is stopped, then waits for requests in flight, unless a second stop is
// requested.
func (r *gatewayRun) serveUntil(run, impatient context.Context, server *http.Server, listener net.Listener) error {
	stopped := make(chan error, 1)
	go func() { stopped <- server.Serve(netguard.Listener(listener)) }()
	select {
	case err := <-stopped:
		return err
	case <-run.Done():
	}
	r.leaving.Store(true)
	select {
	case <-time.After(cmp.Or(r.in.DrainDelay, defaultDrainDelay)):
	case <-impatient.Done():
	}
	drain, cancel := context.WithTimeout(impatient, cmp.Or(r.in.DrainTimeout, defaultDrainTimeout))
	defer cancel()
	r.endpoint.Drain(drain)
	if r.replicas != nil { // the other replicas notice that the sessions have moved before connections are closed
		select {
		case <-time.After(leaveAfter):
		case <-drain.Done():
		}
	}
	if err := server.Shutdown(drain); err != nil {
		_ = server.Close()
	}
	if err := <-stopped; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// probes serves /healthz and /readyz before the guard: health checkers use an IP address and no host name, and
// the result is not secret. Everything else is guarded.
func (r *gatewayRun) probes(guarded http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		probe := req.Method == http.MethodGet || req.Method == http.MethodHead
		switch {
		case probe && req.URL.Path == "/healthz":
			fmt.Fprintln(w, "ok")
		case probe && req.URL.Path == "/readyz":
			r.ready(w)
		default:
			guarded.ServeHTTP(w, req)
		}
	})
}

// routes are the routes behind the guard.
func (r *gatewayRun) routes() http.Handler {
	inside := r.door.inside
	mux := http.NewServeMux()
	mux.Handle("GET /status", inside(http.HandlerFunc(r.showStatus)))
	mux.Handle("GET /status/stderr", inside(http.HandlerFunc(r.showStderr)))
	clients := inside(r.recorded(r.endpoint))
	mux.Handle("/mcp", clients)
	if r.counter != nil {
		r.counter.routes(mux, inside)
	}
	if r.page != nil {
		r.page.routes(mux)
	}
	mux.HandleFunc("GET "+access.MetadataPath, r.metadata)
	mux.HandleFunc("GET "+access.MetadataPath+"/mcp", r.metadata)
	mux.Handle("GET /metrics", inside(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		r.figures.metrics.Write(w, r.back.Health(), r.endpoint.Sessions())
		r.writeQuarantineMetrics(w)
		r.door.policy.WriteMetrics(w)
	})))
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if r.leaving.Load() {
			w.Header().Set("Connection", "close")
		}
		if req.URL.Path == "/mcp" { // nearly all requests: the mux takes longer to find it
			clients.ServeHTTP(w, req)
			return
		}
		mux.ServeHTTP(w, req)
	})
}

// metadata serves the OAuth metadata, if an issuer is configured.
func (r *gatewayRun) metadata(w http.ResponseWriter, req *http.Request) {
	about := r.door.policy.Metadata()
	if about == nil {
		http.NotFound(w, req)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(about)
}

// ready reports whether to send clients here: not while the gateway starts, has no responding server, or is
// about to stop.
func (r *gatewayRun) ready(w http.ResponseWriter) {
	up, all := 0, r.back.Health()
	for _, h := range all {
		// callers have their own accounts at a server that lists for each of them
		if h.State == upstream.Ready || h.OwnLists && h.State == upstream.Unauthorized {
			up++
		}
	}
	if r.leaving.Load() || up == 0 && len(all) > 0 {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	fmt.Fprintf(w, "%d of %d servers ready\n", up, len(all))
}
