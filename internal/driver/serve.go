package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	lines "github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/typo"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// Limits.
const (
	maxQueued   = 1000 // requests that wait
	maxRunning  = 64   // requests at the same time
	keptBytes   = 64 << 20
	endGrace    = time.Second      // for requests in flight when stdin ends
	politeGrace = 10 * time.Second // the same after a shutdown
)

// A driver serves one client.
type driver struct {
	bench   *workbench.Workbench
	in      *Input
	options suite.Options
	out     *lines.LineWriter
	known   map[string]method
	queue   chan message

	mu       sync.Mutex
	greeted  bool
	polite   bool // shutdown was requested
	running  map[string]context.CancelFunc
	servers  map[string]*server
	suites   map[string]*openSuite
	suiteIDs int

	calls sync.WaitGroup
}

// A message is one from the client.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

// errDone ends the driver after a shutdown.
var errDone = errors.New("shut down")

func serve(ctx context.Context, w *workbench.Workbench, in *Input, o suite.Options) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	d := &driver{bench: w, in: in, options: o, out: &lines.LineWriter{Out: w.Out}, known: map[string]method{},
		queue: make(chan message, maxQueued), running: map[string]context.CancelFunc{}, servers: map[string]*server{},
		suites: map[string]*openSuite{}}
	for _, m := range methods() {
		d.known[m.name] = m
	}
	w.Log = wire.NewTranscript(&wire.TranscriptOptions{KeepBytes: keptBytes})
	w.Notify = func(e workbench.Event) {
		if e.Notice != "" {
			d.notify("note", struct {
				Text string `json:"text"`
			}{d.scrub(e.Notice)})
		}
	}
	write := o.Files.Write
	d.options.Files.Write = func(path string, data []byte) error { // snapshots may need a new folder
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return write(path, data)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.dispatch(ctx, cancel)
	}()
	err := lines.EachLine(ctx, w.In, func(line []byte) error { d.receive(line); return nil })
	close(d.queue)
	d.await(done, cancel)
	d.end()
	if errors.Is(err, errDone) || errors.Is(err, os.ErrClosed) {
		err = nil
	}
	return err
}

// await waits for the requests in flight after stdin has ended, for a moment.
func (d *driver) await(done <-chan struct{}, cancel context.CancelCauseFunc) {
	d.mu.Lock()
	grace := endGrace
	if d.polite {
		grace = politeGrace
	}
	d.mu.Unlock()
	timer := time.AfterFunc(grace, func() { cancel(context.Canceled) })
	defer timer.Stop()
	<-done
	d.calls.Wait()
}

// receive reads one line. It never waits, so that cancel and the end of stdin are noticed at any time.
func (d *driver) receive(line []byte) {
	var m message
	switch err := json.Unmarshal(line, &m); {
	case line == nil:
		d.fail(nil, &Error{Code: codeInvalid,
			Message: fmt.Sprintf("message too long: expected at most %d bytes", lines.MaxMessage)})
		return
	case err != nil:
		d.fail(nil, &Error{Code: codeParse, Message: "not a JSON object: " + err.Error()})
		return
	case m.JSONRPC != "2.0" || m.Method == "":
		d.fail(m.ID, &Error{Code: codeInvalid, Message: `expected a request with "jsonrpc":"2.0", id and method`})
		return
	case m.Method == "cancel":
		d.cancel(m.Params)
		return
	case len(m.ID) == 0 || string(m.ID) == "null":
		return // an unknown notification
	}
	if m.Method == "shutdown" {
		d.mu.Lock()
		d.polite = true
		d.mu.Unlock()
	}
	select {
	case d.queue <- m:
	default:
		d.fail(m.ID, &Error{Code: codeInvalid, Message: fmt.Sprintf("more than %d requests are waiting", maxQueued)})
	}
}

// dispatch carries out requests: ordered ones in order, others beside each other.
func (d *driver) dispatch(ctx context.Context, cancel context.CancelCauseFunc) {
	slots := make(chan struct{}, maxRunning)
	for m := range d.queue {
		if err := d.mayRun(m); err != nil {
			d.reply(m.ID, nil, err)
			continue
		}
		one, stop := context.WithCancel(ctx)
		d.mu.Lock()
		_, taken := d.running[idText(m.ID)]
		if !taken {
			d.running[idText(m.ID)] = stop
		}
		d.mu.Unlock()
		if taken {
			stop()
			d.fail(m.ID, &Error{Code: codeInvalid, Message: fmt.Sprintf("a request with the ID %s is in flight", m.ID)})
			continue
		}
		run := func() {
			defer stop()
			result, err := d.handle(one, m)
			d.mu.Lock()
			delete(d.running, idText(m.ID))
			d.mu.Unlock()
			d.reply(m.ID, result, err)
		}
		if d.known[m.Method].ordered {
			run()
			if m.Method == "shutdown" {
				cancel(errDone)
			}
			continue
		}
		slots <- struct{}{}
		d.calls.Go(func() { defer func() { <-slots }(); run() })
	}
}

// mayRun rejects unknown methods, and requests before hello.
func (d *driver) mayRun(m message) error {
	if _, ok := d.known[m.Method]; !ok {
		return d.unknown(m.Method)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.greeted && m.Method != "hello" {
		return &Error{Code: codeProtocol, Message: m.Method + " before hello: send hello with the version of the protocol " +
			"first"}
	}
	return nil
}

// handle carries out one request.
func (d *driver) handle(ctx context.Context, m message) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(d.bench.Err, "mcptest: internal error: %v (please report this)\n%s", p, debug.Stack())
			err = &Error{Code: codeInternal, Message: fmt.Sprintf("internal error: %v (please report this)", p)}
		}
	}()
	return d.known[m.Method].run(d, ctx, m.Params)
}

func (d *driver) unknown(name string) error {
	var all []string
	for _, m := range methods() {
		all = append(all, m.name)
	}
	e := &Error{Code: codeMethod, Message: fmt.Sprintf("unknown method %q", name)}
	if meant := typo.Best(name, all); meant != "" {
		e.Message += "; did you mean " + meant + "?"
	}
	return e
}

// cancel cancels a request in flight.
func (d *driver) cancel(params json.RawMessage) {
	var c Cancel
	if json.Unmarshal(params, &c) != nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if stop := d.running[idText(c.ID)]; stop != nil {
		stop()
	}
}

// end stops all servers and suites without waiting longer than need be: this process exits.
func (d *driver) end() {
	d.mu.Lock()
	servers, suites := d.servers, d.suites
	d.servers, d.suites = map[string]*server{}, map[string]*openSuite{}
	d.mu.Unlock()
	for _, s := range servers {
		s.live.Release()
	}
	for _, s := range suites {
		_ = s.opened.Close(context.Background()) // nobody is left to report it to
	}
}
