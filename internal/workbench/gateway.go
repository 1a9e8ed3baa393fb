package workbench

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/front"
	"github.com/mcptest-dev/mcptest/internal/gateway/spans"
	"github.com/mcptest-dev/mcptest/internal/gateway/status"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/guard"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// A GatewayInput says which servers stand behind the gateway and how clients reach it.
type GatewayInput struct {
	Config       string        `json:"config,omitempty" placeholder:"FILE" jsonschema:"the servers behind the gateway, and its settings; read again when it changes"`
	Stdio        bool          `json:"stdio,omitempty" jsonschema:"speak over standard input and output; so without --listen"`
	Listen       string        `json:"listen,omitempty" placeholder:"ADDRESS" jsonschema:"serve Streamable HTTP at /mcp of this address, such as 127.0.0.1:6280"`
	Expose       string        `json:"expose,omitempty" placeholder:"WHAT" jsonschema:"what clients see: all (the servers' tools), meta (a dozen tools that find and run the others) or both; all if not said"`
	Transparent  bool          `json:"transparent,omitempty" jsonschema:"stand before a single server and change nothing"`
	Open         bool          `json:"open,omitempty" jsonschema:"let every program on this machine in without a token"`
	TokenFile    string        `json:"token_file,omitempty" placeholder:"FILE" jsonschema:"read the token that clients need from this file instead of making one"`
	Store        string        `json:"store,omitempty" placeholder:"ADDRESS" jsonschema:"keep the catalog in this SQLite file or postgres:// database, or in memory (default: a file of this config's in the user's state directory)"`
	TUI          bool          `json:"tui,omitempty" jsonschema:"show servers, rates, times and the last calls on the terminal, as they change"`
	DrainDelay   time.Duration `json:"drain_delay,omitempty" placeholder:"D" jsonschema:"how long calls are still accepted after a stop signal while /readyz fails, so that a load balancer notices (default 500ms)"`
	DrainTimeout time.Duration `json:"drain_timeout,omitempty" placeholder:"D" jsonschema:"how long calls in flight may take after that (default 10s)"`
	Audit        string        `json:"audit,omitempty" placeholder:"FILE" jsonschema:"add a line to this file for each call: who, what, outcome, hash of the arguments"`
}

// Gateway serves many servers as one until it is stopped.
var Gateway = Op[GatewayInput, struct{}]{
	Name: "gateway",
	Doc: "Serve many servers as one\n\n" +
		"The servers are those of the config file. Clients reach them over standard input and output, or over HTTP with a token.\n" +
		"Tools are named server__tool; arguments are validated before they are forwarded; a server that is down hides no other.",
	Example: "mcptest gateway --config mcp.json" + "\n" +
		"mcptest gateway --config mcp.json --listen 127.0.0.1:6280",
	Run: func(ctx context.Context, w *Workbench, in *GatewayInput) (struct{}, error) {
		return struct{}{}, w.gateway(ctx, in)
	},
	Text: func(io.Writer, struct{}) error { return nil },
}

// gcPercent is the target of the garbage collector in this command, unless GOGC is set. The live heap is small and
// requests leave much short-lived garbage: with the default of 100 the collector takes a third of the processor time.
const gcPercent = 400

// How a gateway stops, unless the flags say otherwise. First it is no longer ready, but still takes calls: each response
// tells its client to use the connection no more, so that none sends a call into one that is being closed. Then it
// rejects calls and waits for those in flight.
const (
	defaultDrainDelay   = 500 * time.Millisecond
	defaultDrainTimeout = 10 * time.Second
)

// A backend is what answers clients: the gateway, or the transparent one.
type backend interface {
	serve.Backend
	Health() []upstream.Health
	Tools() []status.Tool
	Close()
}

// A gatewayRun is one run of the gateway.
type gatewayRun struct {
	w        *Workbench
	in       *GatewayInput
	stamp    string // of the config file, as it was read
	settings gatewaySettings
	door     *door
	figures  figures
	back     backend
	counter  *counter        // nil if there is no catalog
	spans    *spans.Recorder // nil if nobody wants traces
	endpoint *serve.Endpoint
	leaving  atomic.Bool // it was told to stop
	notices  notices     // the last warnings, for the screen
}

func (w *Workbench) gateway(ctx context.Context, in *GatewayInput) error {
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	}
	r := &gatewayRun{w: w, in: in, figures: figures{started: time.Now()}}
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
	if r.door.warning != "" {
		log.Warn(r.door.warning)
	}
	if r.spans, err = spans.FromEnvironment(ctx, w.System.Lookup, w.Version, log); err != nil {
		return &UsageError{Message: err.Error()}
	}
	var listener net.Listener
	if in.Listen != "" {
		if listener, err = r.listen(); err != nil { // before any server is started for nothing
			return err
		}
		defer func() { _ = listener.Close() }()
	}
	return r.serve(ctx, servers, listener, log)
}

// serve starts the servers, and serves clients until it is stopped: those of the listener, or else the one on the standard
// streams.
func (r *gatewayRun) serve(ctx context.Context, servers []gatewayServer, listener net.Listener, log *slog.Logger) error {
	if len(servers) == 0 {
		log.Warn("the config names no servers; they can be added while the gateway runs", "file", r.in.Config)
	}
	closing, err := r.start(ctx, servers, log)
	if err != nil {
		return err
	}
	defer closing()
	r.endpoint = serve.NewEndpoint(r.answering(), &serve.EndpointOptions{Caller: callerOf, Stdio: stdioCaller, MaxMessage: guard.MaxBody})
	if listener == nil {
		return r.serveLines(ctx)
	}
	return r.serveHTTP(ctx, listener)
}

// config reads the config file for the first time. Its stamp is taken before that, so that no change is missed.
func (r *gatewayRun) config() (servers []gatewayServer, err error) {
	r.stamp = stamp(r.in.Config)
	servers, r.settings, err = r.w.gatewayConfig(r.in.Config)
	return servers, err
}

// check refuses what contradicts itself.
func (r *gatewayRun) check() error {
	in := r.in
	switch {
	case in.Config == "":
		return &UsageError{Message: "--config is not given", Hint: "a file with mcpServers, as hosts have it: mcptest gateway --config mcp.json"}
	case in.Stdio && in.Listen != "":
		return &UsageError{Message: "both --stdio and --listen are given; want one"}
	case in.Listen == "" && (in.Open || in.TokenFile != ""):
		return &UsageError{Message: "--open and --token-file are for clients over HTTP, and --listen is not given", Hint: "--listen 127.0.0.1:6280"}
	case in.Expose != "" && in.Expose != front.All && in.Expose != front.Meta && in.Expose != front.Both:
		return &UsageError{Message: fmt.Sprintf("--expose is %q", in.Expose), Hint: "all, meta or both"}
	case in.Transparent && in.Expose != "":
		return &UsageError{Message: "--transparent changes nothing; --expose means nothing to it"}
	case in.Transparent && in.Store != "":
		return &UsageError{Message: "--transparent keeps no catalog; --store means nothing to it"}
	case in.TUI && in.Listen == "":
		return &UsageError{Message: "--tui is given without --listen", Hint: "the screen takes the standard streams; clients come over HTTP then: --listen 127.0.0.1:6280"}
	case in.TUI && r.w.Screen == nil:
		return &UsageError{Message: "--tui needs a terminal for its input and its output", Hint: "GET /status tells the same as JSON"}
	case in.Listen == "" && (in.DrainDelay != 0 || in.DrainTimeout != 0):
		return &UsageError{Message: "--drain-delay and --drain-timeout require --listen"}
	case in.DrainDelay < 0 || in.DrainTimeout < 0:
		return &UsageError{Message: "--drain-delay and --drain-timeout are not negative"}
	case in.Open && in.TokenFile != "":
		return &UsageError{Message: "both --open and --token-file are given; want one"}
	}
	if in.Expose == "" {
		in.Expose = front.All
	}
	return nil
}

// answering is the backend, with spans around it if somebody wants them.
func (r *gatewayRun) answering() serve.Backend {
	if r.spans == nil {
		return r.back
	}
	return r.spans.Before(r.back)
}

// serveLines serves one client on the standard streams.
func (r *gatewayRun) serveLines(ctx context.Context) error {
	in, out := r.w.In, r.w.Out
	if log := r.frames(clientFrames); log != nil {
		in, out = (&recorder{log: log}).lines(in, out)
	}
	err := r.endpoint.ServeLines(ctx, in, out)
	if ctx.Err() != nil {
		return nil // stopped, as it was asked to
	}
	return err
}
