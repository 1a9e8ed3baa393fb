package tap

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/tap/fault"
)

// A pipeInjector passes whole messages between a client and a stdio server and injects faults. It is used only if there
// are faults: without it, the relay passes bytes as they arrive.
type pipeInjector struct {
	relay              *relay
	selector           *fault.Selector
	toClient, toServer *fault.Lane
	stderr             *lockedWriter
	out                io.Writer // of the client
	kill               func()
}

// A lockedWriter is written by several goroutines.
type lockedWriter struct {
	mu  sync.Mutex
	out io.Writer
}

// Write writes with the lock.
func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(p)
}

func newPipeInjector(r *relay, plan *fault.Plan, client Streams, child *wire.Subprocess) *pipeInjector {
	writer := func(out io.Writer) func([]byte) error {
		return func(p []byte) error {
			_, err := out.Write(p)
			return err
		}
	}
	i := &pipeInjector{relay: r, selector: fault.NewSelector(plan), stderr: &lockedWriter{out: client.Err},
		out:      client.Out,
		toClient: fault.NewLane(writer(client.Out), fault.Line), toServer: fault.NewLane(writer(child.Stdin), fault.Line),
		kill: func() { child.Signal(os.Kill) }}
	fault.Connect(i.toClient, i.toServer)
	return i
}

// stop drops delayed messages: the client ends the session.
func (p *pipeInjector) stop() {
	p.toClient.Stop()
	p.toServer.Stop()
}

// pass passes messages on until either side ends, as relay.pass does with bytes.
func (p *pipeInjector) pass(s *stream, from io.Reader, to *fault.Lane) {
	in := bufio.NewReaderSize(from, relayBuffer)
	for {
		line, whole, err := readLine(in)
		if len(line) > 0 && p.message(s, line, whole, to) != nil {
			break
		}
		if err != nil {
			p.relay.queue.put(item{stream: s, at: time.Now(), eof: true})
			if s.from == wire.Client {
				go p.watch()
			}
			break
		}
	}
	to.Finish()
	p.relay.queue.put(item{stream: s, at: time.Now(), end: true})
	p.relay.queue.signal()
}

// watchInterval is how often a client that has closed its end is checked.
const watchInterval = 100 * time.Millisecond

// watch drops delayed messages when the client has ended: it has closed its end, and nothing reads its output. A client
// that only closed its end may wait for them.
func (p *pipeInjector) watch() {
	for {
		gone, open := readerGone(p.out)
		if gone {
			p.stop()
		}
		if gone || !open {
			return
		}
		time.Sleep(watchInterval)
	}
}

// message passes on one line, with a fault if it is selected.
func (p *pipeInjector) message(s *stream, line []byte, whole bool, to *fault.Lane) error {
	defer p.relay.queue.signal()
	if !whole {
		p.relay.queue.put(item{stream: s, at: time.Now(), data: line})
		return to.Send(line)
	}
	m := mcp.Read(wire.Frame{From: s.from, Stream: s.name, Body: bytes.TrimRight(line, "\r\n")})
	rule, injected := p.selector.Select(&m, s.from, "", false)
	p.relay.queue.put(item{stream: s, at: time.Now(), data: line, injected: injected})
	if rule == nil {
		return to.Send(line)
	}
	switch rule.Kind {
	case fault.Exit:
		p.kill()
		return fault.ErrClose
	case fault.StderrFlood:
		if err := rule.Flood(p.stderr); err != nil {
			return err
		}
	}
	return to.Apply(rule, &m, line)
}

// readLine returns the next line with its newline. A line that is longer than maxMessage, and the rest of a stream
// without a newline, are returned in parts that are not whole.
func readLine(in *bufio.Reader) (line []byte, whole bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return line, len(line) <= maxMessage, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return line, false, err
		case len(line) > maxMessage:
			return line, false, nil
		}
	}
}
