package tap

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/stdinwake"
	"github.com/mcptest-dev/mcptest/internal/tap/fault"
)

// flushGrace is how long the end of a session waits for the recorder at most: less than clients wait before they kill
// a server. The client has read the end of all streams before.
const flushGrace = 3 * time.Second

// gcPercent is the garbage collector target, unless GOGC is set: the live heap is tiny and every message is garbage
// soon.
const gcPercent = 800

// Streams are the standard streams of tap, which belong to the client. Those that can be closed are closed when
// the other side is.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Stdio starts the command and passes everything on until it exits. It returns how it exited; an error means
// that it could not be started.
func Stdio(o Options, target wire.Target, client Streams) (*wire.ExitError, error) {
	defer stdinwake.Start()()
	survivePipes()
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	signals := make(chan os.Signal, 16)
	signal.Reset(forwarded()...) // the client decides what ends tap
	signal.Notify(signals, forwarded()...)
	defer signal.Stop(signals)
	target.Relay = true
	child, err := wire.StartSubprocess(target)
	if err != nil {
		return nil, err
	}
	defer child.Kill() // returns the resources of the supervisor; the child has exited
	rec := newRecorder(o)
	rec.start()
	r := &relay{queue: rec.queue}
	fromClient := &stream{from: wire.Client, name: string(wire.Stdio), conn: 1}
	fromServer := &stream{from: wire.Server, name: string(wire.Stdio), conn: 1}
	toServer := func() { r.pass(fromClient, client.In, child.Stdin) }
	toClient := func() { r.pass(fromServer, child.Stdout, client.Out) }
	stderr, interrupted := client.Err, func() {}
	if o.Faults != nil {
		i := newPipeInjector(r, o.Faults, client, child)
		toServer = func() { _ = i.pass(fromClient, client.In, i.toServer) }
		toClient = func() {
			if err := i.pass(fromServer, child.Stdout, i.toClient); errors.Is(err, fault.ErrClose) {
				closeFile(client.Out)
				_, _ = io.Copy(io.Discard, child.Stdout) // the fault is for the client: the server must not fail
			}
		}
		stderr, interrupted = i.stderr, i.stop // stderr stays open for the report
	}
	go func() { // it may wait for the client's input when the server has exited
		toServer()
		_ = child.Stdin.Close()
		closeFile(client.In) // its next write fails, as it would without tap
	}()
	var output sync.WaitGroup
	output.Go(func() {
		toClient()
		child.CloseStdout()
		closeFile(client.Out)
	})
	output.Go(func() {
		r.pass(&stream{from: wire.Server, name: wire.StderrStream, conn: 1, stderr: true}, child.Stderr, stderr)
		child.CloseStderr()
		closeFile(stderr)
	})
	go func() {
		for s := range signals {
			interrupted()
			child.Signal(s)
		}
	}()
	<-child.Exited()
	output.Wait()
	defer writeFaults(o, rec)
	return ended(rec, child.Exit())
}

// ended ends the recording and returns how the child exited.
func ended(rec *recorder, status error) (*wire.ExitError, error) {
	var exit *wire.ExitError
	if !errors.As(status, &exit) {
		rec.end(&Exit{Code: -1}, flushGrace)
		return nil, status
	}
	shown := &Exit{Code: exit.Code}
	if exit.Signal != 0 {
		shown.Signal = exit.Signal.String()
	}
	rec.end(shown, flushGrace)
	return exit, nil
}

// A relay passes bytes on and hands copies to the recorder.
type relay struct{ queue *queue }

// relayBuffer is the size of one read: that of a pipe.
const relayBuffer = 64 << 10

// pass copies until either side ends. The copy is queued before it is passed on, so that a response is never
// recorded before its request; the recorder is woken after it.
func (r *relay) pass(s *stream, from io.Reader, to io.Writer) {
	buffer := make([]byte, relayBuffer)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			r.queue.put(item{stream: s, at: time.Now(), data: buffer[:n]})
			_, failure := to.Write(buffer[:n])
			r.queue.signal()
			if failure != nil {
				break
			}
		}
		if err != nil {
			break
		}
	}
	r.queue.put(item{stream: s, at: time.Now(), end: true})
	r.queue.signal()
}

// closeFile closes a stream if it can be closed.
func closeFile(stream any) {
	if c, ok := stream.(io.Closer); ok {
		_ = c.Close()
	}
}
