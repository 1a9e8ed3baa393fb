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

// errSenderClosed is the error of a message whose sender has closed its end.
var errSenderClosed = errors.New("the sender closed its end")

// pass passes messages on until either side ends, as relay.pass does with bytes. It returns why it ended.
func (p *pipeInjector) pass(s *stream, from io.Reader, to *fault.Lane) error {
	in := bufio.NewReaderSize(from, relayBuffer)
	var err error
	for err == nil {
		err = p.line(s, in, to)
	}
	if errors.Is(err, errSenderClosed) {
		fromClient := s.from == wire.Client
		p.relay.queue.put(item{stream: s, at: time.Now(), eof: true, exited: fromClient && p.exited()})
		if fromClient {
			go p.watch()
		}
	}
	to.Finish()
	p.relay.queue.put(item{stream: s, at: time.Now(), end: true})
	p.relay.queue.signal()
	return err
}

// exited reports whether the process of the client has ended: it has closed both ends. A client that closes only its
// output waits for the end of the server.
func (p *pipeInjector) exited() bool {
	for range 5 { // the ends close one after the other
		if gone, _ := readerGone(p.out); gone {
			return true
		}
		time.Sleep(time.Millisecond)
	}
	return false
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

// line passes on one line. If its beginning shows that it gets no fault, its bytes pass as they arrive.
func (p *pipeInjector) line(s *stream, in *bufio.Reader, to *fault.Lane) error {
	start, err := in.ReadSlice('\n')
	if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
		return p.unchanged(s, in, start, err, to)
	}
	rule, injected, known := p.selector.Early(start, s.from)
	if known && rule == nil {
		return p.unchanged(s, in, start, err, to)
	}
	line := bytes.Clone(start)
	for errors.Is(err, bufio.ErrBufferFull) && len(line) <= maxMessage {
		var part []byte
		part, err = in.ReadSlice('\n')
		line = append(line, part...)
	}
	if err != nil { // it is too long, or has no end
		return p.unchanged(s, in, line, err, to)
	}
	m := mcp.Read(wire.Frame{From: s.from, Stream: s.name, Body: bytes.TrimRight(line, "\r\n")})
	if !known {
		rule, injected = p.selector.Select(fault.HeadOf(&m), s.from, "", false)
	}
	return p.message(s, &m, line, rule, injected, to)
}

// unchanged passes on a part of a line and what follows until its end. Err is that of reading the part.
func (p *pipeInjector) unchanged(s *stream, in *bufio.Reader, part []byte, err error, to *fault.Lane) error {
	for {
		last := !errors.Is(err, bufio.ErrBufferFull)
		p.relay.queue.put(item{stream: s, at: time.Now(), data: part})
		failure := to.Part(part, last)
		p.relay.queue.signal()
		switch {
		case failure != nil:
			return failure
		case last && err != nil:
			return errSenderClosed
		case last:
			return nil
		}
		part, err = in.ReadSlice('\n')
	}
}

// message passes on a whole line, with a fault if there is a rule.
func (p *pipeInjector) message(s *stream, m *mcp.Message, line []byte, rule *fault.Rule, injected *fault.Injection,
	to *fault.Lane) error {
	defer p.relay.queue.signal()
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
	return to.Apply(rule, m, line)
}
