// Package recordings has the operations on recordings: record the frames of other programs, list and view them, and
// serve them again.
package recordings

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/netguard"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/redact"
	"github.com/mcptest-dev/mcptest/internal/tap"
	"github.com/mcptest-dev/mcptest/internal/tap/fault"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A TapInput is the input of Tap.
type TapInput struct {
	URL     string   `json:"url,omitempty" cli:"target" jsonschema:"the URL of an HTTP server"`
	Command []string `json:"command,omitempty" cli:"command" jsonschema:"the command that starts a stdio server, as argv"`
	Listen  string   `json:"listen,omitempty" placeholder:"ADDRESS" jsonschema:"record an HTTP server: listen on this loopback address, such as 127.0.0.1:7000, and forward to the URL"`
	Name    string   `json:"name,omitempty" placeholder:"NAME" jsonschema:"name of the server in the list of recordings"`
	Fault   []string `json:"fault,omitempty" placeholder:"FAULT" jsonschema:"inject a fault, such as tools/call:20%:delay=5s; repeatable"`
	Faults  string   `json:"faults,omitempty" surface:"cli" placeholder:"FILE" jsonschema:"inject the faults of a YAML file"`
	Seed    uint64   `json:"seed,omitempty" placeholder:"N" jsonschema:"seed of the random selection of messages for faults (default 1)"`
}

// Tap passes messages between a client and a server and records them. It is for the command line only: it runs a
// command with the whole environment of the user.
var Tap = workbench.Op[TapInput, struct{}]{
	Name: "tap", Section: workbench.Explore, Order: 80,
	Doc: "Record the messages between a client and a server\n\n" +
		"Put \"mcptest tap --\" before the command of a stdio server in the config of a client. The client and the " +
		"server\n" +
		"notice no difference: bytes, stderr, signals, end of input and exit status are passed on unchanged.\n\n" +
		"For an HTTP server, pass --listen and the URL of the server, and give the printed URL to the client.\n\n" +
		"--fault injects faults to test how the client reacts; a report at the end lists them.\n\n" +
		"The recording is written to the state directory of the user; \"mcptest tap list\" lists recordings.",
	Example: "mcptest tap -- mcptest demo" + "\n" +
		"mcptest tap --fault 'tools/call:20%:delay=5s' -- mcptest demo" + "\n" +
		"mcptest tap --listen 127.0.0.1:7000 https://host.example/mcp",
	Uses: workbench.Records,
	Run: func(ctx context.Context, w *workbench.Workbench, in *TapInput) (struct{}, error) {
		return struct{}{}, runTap(ctx, w, in)
	},
	Text: func(io.Writer, struct{}) error { return nil },
}

// A ServerExit is the error of an operation that exits as its server did.
type ServerExit struct{ Exit *wire.ExitError }

// Error returns how the server exited.
func (e *ServerExit) Error() string { return e.Exit.Error() }

// TapDir returns the directory of the recordings.
func TapDir(sys target.System) string { return filepath.Join(workbench.StateDir(sys), "tap") }

func runTap(ctx context.Context, w *workbench.Workbench, in *TapInput) error {
	switch {
	case in.Listen != "" && len(in.Command) > 0:
		return &workbench.UsageError{Message: "--listen and a command are mutually exclusive",
			Hint: "pass the URL of a server, or remove {--listen}"}
	case in.Listen != "":
		return tapHTTP(ctx, w, in)
	case len(in.Command) == 0 && strings.Contains(in.URL, "://"):
		return &workbench.UsageError{Message: "a URL requires --listen", Hint: "use {--listen} 127.0.0.1:7000"}
	case len(in.Command) == 0:
		return &workbench.UsageError{Message: fmt.Sprintf("unexpected argument %q", in.URL),
			Hint: "put the command of the server after --"}
	}
	server := wire.Target{Command: in.Command, Env: os.Environ(), Supervisor: w.Supervisor}
	o, err := tapOptions(w, in, fault.Stdio)
	if err != nil {
		return err
	}
	exit, err := tap.Stdio(o, server, tap.Streams{In: w.In, Out: w.Out, Err: w.Err})
	if err != nil {
		return err
	}
	return &ServerExit{exit}
}

// tapHTTP records an HTTP server until it is stopped. It listens only on loopback addresses: the server may trust
// local clients.
func tapHTTP(ctx context.Context, w *workbench.Workbench, in *TapInput) error {
	server, err := url.Parse(in.URL)
	if err != nil || server.Host == "" || server.Scheme != "http" && server.Scheme != "https" {
		return &workbench.UsageError{Message: fmt.Sprintf("invalid URL %q", redact.URL(in.URL)),
			Hint: "pass a URL such as https://host.example/mcp"}
	}
	o, err := tapOptions(w, in, fault.HTTP)
	if err != nil {
		return err
	}
	address := in.Listen
	if strings.HasPrefix(address, ":") {
		address = "127.0.0.1" + address
	}
	if address, err = netguard.Loopback(address); err != nil {
		return &workbench.UsageError{Message: "--listen: " + err.Error(), Hint: "use 127.0.0.1:PORT"}
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return &workbench.UsageError{Message: "--listen: " + workbench.ListenProblem(address, err),
			Hint: "use another port, or port 0 for any free port"}
	}
	own := url.URL{Scheme: "http", Host: listener.Addr().String(), Path: server.Path, RawPath: server.RawPath}
	fmt.Fprintf(w.Out, "mcptest tap serves %s and forwards to %s\n", own.String(), redact.URL(in.URL))
	return tap.HTTP(ctx, o, listener, server)
}

// tapOptions returns the options of a recording. The secrets are what the environment and the command contain.
func tapOptions(w *workbench.Workbench, in *TapInput, over fault.Transport) (tap.Options, error) {
	o := tap.Options{Dir: TapDir(w.System), Version: w.Version, Name: in.Name, Command: in.Command, URL: in.URL,
		Report: w.Err}
	if !w.Reveal {
		o.Secrets = redact.New(target.SecretsOf(w.System.Environ, in.Command)...)
	}
	plan, err := faultPlan(w, in, over)
	o.Faults = plan
	return o, err
}
