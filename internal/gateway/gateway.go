// Package gateway runs the gateway: its HTTP server, authentication, reload, status and log. It also has the operations
// of the catalog.
package gateway

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/accounts"
	"github.com/mcptest-dev/mcptest/internal/gateway/forward"
	"github.com/mcptest-dev/mcptest/internal/gateway/frontend"
	"github.com/mcptest-dev/mcptest/internal/gateway/replicas"
	"github.com/mcptest-dev/mcptest/internal/gateway/status"
	"github.com/mcptest-dev/mcptest/internal/gateway/tracing"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A Input is the input of Gateway.
type Input struct {
	Config       string        `json:"config,omitempty" placeholder:"FILE" jsonschema:"config file with the servers and settings of the gateway; reloaded when it changes"`
	Stdio        bool          `json:"stdio,omitempty" jsonschema:"serve over stdin and stdout (default without --listen)"`
	Listen       string        `json:"listen,omitempty" placeholder:"ADDRESS" jsonschema:"serve Streamable HTTP at /mcp on this address, such as 127.0.0.1:6280"`
	Expose       string        `json:"expose,omitempty" placeholder:"WHAT" jsonschema:"tools to expose to clients: all (the servers' tools), meta (a dozen tools that search for and call the others), both, or auto (all if their definitions are short, else meta) (default all)"`
	Transparent  bool          `json:"transparent,omitempty" jsonschema:"proxy a single server without changing messages"`
	Open         bool          `json:"open,omitempty" jsonschema:"disable authentication for local clients"`
	TokenFile    string        `json:"token_file,omitempty" placeholder:"FILE" jsonschema:"read the client token from this file instead of generating one"`
	Store        string        `json:"store,omitempty" placeholder:"ADDRESS" jsonschema:"store the catalog in this SQLite file or postgres:// database, or in memory (default: a file per config in the user's state directory)"`
	TUI          bool          `json:"tui,omitempty" jsonschema:"show a live dashboard with servers, rates, latencies and recent calls in the terminal"`
	DrainDelay   time.Duration `json:"drain_delay,omitempty" placeholder:"D" jsonschema:"how long to accept calls after a stop signal while /readyz fails, so that load balancers can react (default 500ms)"`
	DrainTimeout time.Duration `json:"drain_timeout,omitempty" placeholder:"D" jsonschema:"how long to wait for in-flight calls after that (default 10s)"`
	ReplicaURL   string        `json:"replica_url,omitempty" placeholder:"URL" jsonschema:"URL of this process for other gateways with the same PostgreSQL store, such as http://10.0.0.7:6280: a load balancer may then send each request to any of them"`
	Audit        string        `json:"audit,omitempty" placeholder:"FILE" jsonschema:"append a line to this file for each call: caller, tool, outcome, hash of the arguments"`
}

// Serve serves several servers through one endpoint until it is stopped.
var Serve = workbench.Op[Input, struct{}]{
	Uses: workbench.Frames,
	Name: "gateway", Section: workbench.Serve, Order: 10,
	Doc: "Serve several MCP servers through one endpoint\n\n" +
		"The servers are defined in the config file. Clients connect over stdin and stdout, or over HTTP with a " +
		"token.\n" +
		"Tools are named server__tool; arguments are validated before they are forwarded; a server that is down does " +
		"not affect the others.",
	Example: "mcptest gateway --config mcp.json" + "\n" +
		"mcptest gateway --config mcp.json --listen 127.0.0.1:6280",
	Run: func(ctx context.Context, w *workbench.Workbench, in *Input) (struct{}, error) {
		return struct{}{}, gateway(ctx, w, in)
	},
	Text: func(io.Writer, struct{}) error { return nil },
}

// gcPercent is the garbage collector target of this command, unless GOGC is set. The live heap is small and
// requests create much short-lived garbage: with the default of 100 the collector uses a third of the CPU time.
const gcPercent = 400

// How a gateway shuts down by default. First it is no longer ready, but still accepts calls: each response asks
// the client to close its connection, so that no client sends a call on one that is being closed. Then it
// rejects calls and waits for those in flight.
const (
	defaultDrainDelay   = 500 * time.Millisecond
	defaultDrainTimeout = 10 * time.Second
)

// A backend handles client requests: the gateway, or the transparent proxy.
type backend interface {
	serve.Backend
	Health() []upstream.Health
	Stderr(server string) *upstream.StderrLog // nil if there is no such server
	Tools() []status.Tool
	Close()
}

// A gatewayRun is one run of the gateway.
type gatewayRun struct {
	w        *workbench.Workbench
	in       *Input
	stamp    string // as read from the config file
	settings gatewaySettings
	door     *authenticator
	figures  metrics
	back     backend
	public   string // the URL of this gateway for browsers; empty if there is none
	accounts *accounts.Accounts
	page     *connectPage      // nil if there is no catalog
	counter  *catalogHandler   // nil if there is no catalog
	spans    *tracing.Recorder // nil if tracing is disabled
	endpoint *serve.Endpoint
	replicas *replicas.Replicas // nil if this is the only process
	leaving  atomic.Bool        // a shutdown was requested
	notices  notices            // the last warnings, for the dashboard
	log      logBuffer
}

func gateway(ctx context.Context, w *workbench.Workbench, in *Input) error {
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	}
	r := &gatewayRun{w: w, in: in, figures: metrics{started: time.Now()}}
	if err := r.check(); err != nil {
		return err
	}
	servers, err := r.config()
	if err != nil {
		return err
	}
	if r.door, err = newDoor(in, r.settings.Config); err != nil {
		return err
	}
	log := r.logger()
	defer r.log.Flush()
	if r.door.warning != "" {
		log.Warn(r.door.warning)
	}
	if r.spans, err = tracing.FromEnvironment(ctx, w.System.Lookup, w.Version, log); err != nil {
		return &workbench.UsageError{Message: err.Error()}
	}
	var listener net.Listener
	if in.Listen != "" {
		if listener, err = r.listen(); err != nil { // before any server is started for nothing
			return err
		}
		defer func() { _ = listener.Close() }()
	}
	if r.public, err = r.settings.Accounts.publicURL(in.Config, listener); err != nil {
		return err
	}
	return r.serve(ctx, servers, listener, log)
}

// serve starts the servers, and serves clients until it is stopped: over HTTP, or else the one on stdin and
// stdout.
func (r *gatewayRun) serve(ctx context.Context, servers []gatewayServer, listener net.Listener,
	log *slog.Logger) error {
	if len(servers) == 0 {
		log.Warn("the config file lists no servers; they can be added while the gateway is running", "file",
			r.in.Config)
	}
	if err := r.openReplicas(ctx); err != nil {
		return err
	}
	if r.replicas != nil {
		defer r.replicas.Close()
	}
	closing, err := r.start(ctx, servers, log)
	if err != nil {
		return err
	}
	defer closing()
	opts := &serve.EndpointOptions{Caller: callerOf, Stdio: stdioCaller, MaxMessage: netguard.MaxBody,
		IdleSession: idleSession}
	if r.replicas != nil {
		opts.Replicas, opts.HeldBy, opts.Unfinished = r.replicas, forward.HeldBy, r.unfinished
	}
	r.endpoint = serve.NewEndpoint(r.backend(), opts)
	if listener == nil {
		return r.serveLines(ctx)
	}
	defer r.shareSessions()()
	return r.serveHTTP(ctx, listener)
}

// config reads the config file for the first time. Its stamp is taken before that, so that no change is missed.
func (r *gatewayRun) config() (servers []gatewayServer, err error) {
	r.stamp = stamp(r.in.Config)
	servers, r.settings, err = gatewayConfig(r.w, r.in.Config)
	return servers, err
}

// check rejects contradictory options.
func (r *gatewayRun) check() error {
	in := r.in
	switch {
	case in.Config == "":
		return &workbench.UsageError{Message: "missing --config",
			Hint: "pass a file with mcpServers, in the format that hosts use: {mcptest gateway --config mcp.json}"}
	case in.Stdio && in.Listen != "":
		return &workbench.UsageError{Message: "--stdio and --listen are mutually exclusive"}
	case in.Listen == "" && (in.Open || in.TokenFile != ""):
		return &workbench.UsageError{Message: "--open and --token-file require --listen",
			Hint: "add {--listen} 127.0.0.1:6280"}
	case !slices.Contains([]string{"", frontend.All, frontend.Meta, frontend.Both, frontend.Auto}, in.Expose):
		return &workbench.UsageError{Message: fmt.Sprintf("invalid value %q for --expose", in.Expose),
			Hint: "use all, meta, both or auto"}
	case in.Transparent && in.Expose != "":
		return &workbench.UsageError{Message: "--transparent and --expose are mutually exclusive"}
	case in.Transparent && in.Store != "":
		return &workbench.UsageError{Message: "--transparent and --store are mutually exclusive: a transparent " +
			"gateway has no " +
			"catalog"}
	case in.TUI && in.Listen == "":
		return &workbench.UsageError{Message: "--tui requires --listen",
			Hint: "the dashboard uses the terminal, so clients must connect over HTTP: {--listen} 127.0.0.1:6280"}
	case in.TUI && r.w.Screen == nil:
		return &workbench.UsageError{Message: "--tui requires a terminal for input and output",
			Hint: "use GET /status for the same data as JSON"}
	case in.Listen == "" && (in.DrainDelay != 0 || in.DrainTimeout != 0):
		return &workbench.UsageError{Message: "--drain-delay and --drain-timeout require --listen"}
	case in.DrainDelay < 0 || in.DrainTimeout < 0:
		return &workbench.UsageError{Message: "--drain-delay and --drain-timeout must not be negative"}
	case in.Open && in.TokenFile != "":
		return &workbench.UsageError{Message: "--open and --token-file are mutually exclusive"}
	}
	if in.Expose == "" {
		in.Expose = frontend.All
	}
	return r.checkReplica()
}

// backend returns the backend, with tracing if it is enabled.
func (r *gatewayRun) backend() serve.Backend {
	if r.spans == nil {
		return r.back
	}
	return r.spans.Before(r.back)
}

// serveLines serves one client on stdin and stdout.
func (r *gatewayRun) serveLines(ctx context.Context) error {
	in, out := r.w.In, r.w.Out
	if log := r.frames(clientFrames); log != nil {
		in, out = (&recorder{log: log}).lines(in, out)
	}
	err := r.endpoint.ServeLines(ctx, in, out)
	if ctx.Err() != nil {
		return nil // stopped as requested
	}
	return err
}
