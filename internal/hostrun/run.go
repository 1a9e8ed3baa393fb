package hostrun

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// Options configure a run.
type Options struct {
	Host       Host
	Program    string      // its executable
	Server     string      // the name of the server in the config of the host
	Target     wire.Target // the server
	Script     []Call      // what the model calls
	Search     bool        // the model has to search for tools
	Find       func(given []hosts.Tool, name string) (hosts.Tool, bool)
	Limit      time.Duration // for the whole run
	Supervisor []string      // see wire.Target
	Self       string        // the executable of mcptest
	Log        *wire.Transcript

	// Prepared is called when the config files are written in the home directory of the host. The function that it
	// returns is called when the host has exited, before the directory is deleted. It may be nil.
	Prepared func(home string) (exited func(), err error)
}

// A Run is what was seen.
type Run struct {
	Version     string            `json:"version,omitempty"`
	Isolated    bool              `json:"isolated"`               // the host had no network but loopback
	NotIsolated string            `json:"not_isolated,omitempty"` // why not
	Bridged     bool              `json:"bridged,omitempty"`      // mcptest passed messages on to a URL; the host used stdio
	Requests    int               `json:"requests"`               // that the model got
	Tools       []hosts.Tool      `json:"tools"`                  // of the server, as the model got them
	Results     []Result          `json:"results,omitempty"`      // of the calls of the script
	Uncalled    string            `json:"uncalled,omitempty"`     // a tool of the script that the model did not get
	Session     Session           `json:"session"`
	Exit        string            `json:"exit,omitempty"` // how the host exited, unless with status 0
	TimedOut    bool              `json:"timed_out,omitempty"`
	Output      string            `json:"output,omitempty"` // of the host, the end
	Duration    time.Duration     `json:"-"`
	Bodies      []json.RawMessage `json:"-"` // of the requests to the model
}

// prompt is what the host is asked to do; the scripted model does not read it.
const prompt = "Call the tools of the script."

// Start runs a host until it exits, or until the limit. Everything that it started has ended, and every file is
// deleted, when it returns.
func Start(ctx context.Context, o Options) (_ *Run, err error) {
	begun := time.Now()
	h, err := newHome()
	if err != nil {
		return nil, err
	}
	defer func() {
		if failure := h.remove(); failure != nil && err == nil {
			err = fmt.Errorf("cannot delete the temporary folder of %s: %w", o.Host.ID, failure)
		}
	}()
	out := &Run{Bridged: o.Target.URL != ""}
	if why := canIsolate(o.Self); why != nil {
		out.NotIsolated = strings.TrimSpace(why.Error())
	} else {
		out.Isolated = true
	}
	out.Version = out.version(ctx, h, o)
	ctx, cancel := context.WithTimeout(ctx, o.Limit)
	defer cancel()

	server := &relay{target: o.Target, log: o.Log, ctx: ctx}
	listener, err := net.Listen("unix", h.socket("server"))
	if err != nil {
		return nil, err
	}
	defer listener.Close()
	go server.serve(listener)

	m := &model{api: o.Host.API, script: o.Script, find: o.Find}
	address, stopModel, err := out.listen(h, o, m)
	if err != nil {
		return nil, err
	}
	defer stopModel()
	plan := o.Host.Plan(Setup{Home: h.dir(), Model: "http://" + address, Server: o.Server, Prompt: prompt, Search: o.Search,
		Command: []string{o.Self, connectCommand, h.socket("server")}})
	if err := h.write(plan.Files); err != nil {
		return nil, err
	}
	if o.Prepared != nil {
		exited, err := o.Prepared(h.dir())
		if err != nil {
			return nil, err
		}
		defer exited()
	}
	said := &tail{}
	process, err := out.start(h, o, plan, said)
	if err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", o.Host.ID, err)
	}
	select {
	case <-process.Done():
	case <-ctx.Done():
		out.TimedOut = errors.Is(ctx.Err(), context.DeadlineExceeded)
		process.End()
	}
	if exit := process.Err(); exit != nil && !out.TimedOut {
		out.Exit = strings.Replace(exit.Error(), "the server exited", "the host exited", 1)
	}
	cancel()
	_ = listener.Close()
	server.active.Wait()
	out.Session, out.Output, out.Duration = server.session(), said.String(), time.Since(begun)
	m.mu.Lock()
	defer m.mu.Unlock()
	out.Bodies, out.Requests, out.Results, out.Uncalled = m.bodies, m.requests, m.results, m.uncalled
	out.Tools = []hosts.Tool{}
	for _, tool := range m.tools {
		if o.Host.Owns(o.Server, tool) {
			out.Tools = append(out.Tools, tool)
		}
	}
	return out, nil
}

// start starts the host, or a command that starts it without a network.
func (r *Run) start(h *home, o Options, plan Plan, said io.Writer) (*wire.AuxProcess, error) {
	argv := append([]string{o.Program}, plan.Args...)
	if r.Isolated {
		argv = append([]string{o.Self, isolateCommand, h.socket("model"), fmt.Sprint(isolatedPort)}, argv...)
	}
	return wire.StartHelper(wire.Target{Command: argv, Env: h.environment(plan.Env), Dir: h.work(),
		Supervisor: o.Supervisor}, said)
}

// listen starts the scripted model: on a socket for a host in a network namespace, or else on a loopback address.
func (r *Run) listen(h *home, o Options, m http.Handler) (address string, stop func(), err error) {
	network, at := "tcp", "127.0.0.1:0"
	if r.Isolated {
		network, at = "unix", h.socket("model")
	}
	listener, err := net.Listen(network, at)
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: m, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	address = listener.Addr().String()
	if r.Isolated {
		address = fmt.Sprintf("127.0.0.1:%d", isolatedPort)
	}
	return address, func() { _ = server.Close() }, nil
}

// versionTimeout is how long a host may take to print its version.
const versionTimeout = 30 * time.Second

// version returns the version that a host prints; empty if it prints none.
func (r *Run) version(ctx context.Context, h *home, o Options) string {
	ctx, cancel := context.WithTimeout(ctx, versionTimeout)
	defer cancel()
	said := &tail{}
	process, err := r.start(h, o, Plan{Args: []string{"--version"}}, said)
	if err != nil {
		return ""
	}
	select {
	case <-process.Done():
	case <-ctx.Done():
		process.End()
	}
	return printedVersion(said.String())
}

// versionNumber is what a host prints as its version, among other words.
var versionNumber = lazyregexp.New(`(?:^|\s)v?(\d+\.\d+[-+.\w]*)`)

// printedVersion returns the version in what a host printed; empty if there is none.
func printedVersion(text string) string {
	if found := versionNumber().FindStringSubmatch(text); found != nil {
		return strings.TrimRight(found[1], ".")
	}
	return ""
}

// A tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// maxOutput is how much output of a host is kept.
const maxOutput = 4000

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	t.text = t.text[max(0, len(t.text)-maxOutput):]
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
