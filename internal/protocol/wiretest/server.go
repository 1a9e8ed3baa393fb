package wiretest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/stdinwake"
)

// A Server plays a script. It serves pipes with Serve and HTTP with ServeHTTP.
type Server struct {
	script *Script

	mu       sync.Mutex
	received []Message
	runs     map[string]int
	news     chan struct{} // closed and replaced when a message arrives
}

// New creates a server from a script. An invalid script is a bug in the test, hence the panic.
func New(script string) *Server {
	parsed, err := Parse(script)
	if err != nil {
		panic("wiretest: " + err.Error())
	}
	return &Server{script: parsed, runs: map[string]int{}, news: make(chan struct{})}
}

// Received lists the messages of clients, in order of arrival.
func (s *Server) Received() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Message(nil), s.received...)
}

// Got lists the bodies of the messages with that method.
func (s *Server) Got(method string) []string {
	var bodies []string
	for _, m := range s.Received() {
		if m.Method == method {
			bodies = append(bodies, m.Body)
		}
	}
	return bodies
}

// Await waits until n messages with that method have arrived, or the context ends.
func (s *Server) Await(ctx context.Context, method string, n int) error {
	for {
		s.mu.Lock()
		news := s.news
		s.mu.Unlock()
		if got := len(s.Got(method)); got >= n {
			return nil
		} else if ctx.Err() != nil {
			return fmt.Errorf("%d messages %s received, expected %d", got, method, n)
		}
		select {
		case <-news:
		case <-ctx.Done():
		}
	}
}

// note records a message and returns how many of its method have arrived.
func (s *Server) note(m Message) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.received = append(s.received, m)
	s.runs[m.Method]++
	close(s.news)
	s.news = make(chan struct{})
	return s.runs[m.Method]
}

// Serve plays the script to one client on a pipe. It has the signature of wire.Target.Serve.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	return s.serve(ctx, in, &pipe{out: out, stderr: io.Discard})
}

// Main plays the script on the process's own streams and returns its exit status.
func (s *Server) Main() int {
	defer stdinwake.Start()()
	p := &pipe{out: os.Stdout, stderr: os.Stderr, exit: os.Exit}
	if err := s.serve(context.Background(), os.Stdin, p); err != nil {
		return 1
	}
	return 0
}

func (s *Server) serve(ctx context.Context, in io.Reader, p *pipe) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if p.exit == nil {
		p.exit = func(status int) { cancel(fmt.Errorf("exit status %d", status)) }
	}
	var work sync.WaitGroup
	defer work.Wait()
	s.play(ctx, Message{}, 1, s.script.start, p)
	lines, more := make(chan []byte), make(chan struct{}, 1)
	go readLines(ctx, in, lines, more)
	for {
		if !p.isDeaf() {
			more <- struct{}{}
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case line, ok := <-lines:
			if !ok {
				cancel(nil)
				return nil
			}
			m := readMessage(line)
			n := s.note(m)
			steps := s.script.stepsFor(m.Method, n, m.isRequest())
			if slices.ContainsFunc(steps, func(st step) bool { return st.verb == "deaf" }) {
				s.play(ctx, m, n, steps, p) // before another line is read
				continue
			}
			work.Go(func() { s.play(ctx, m, n, steps, p) })
		}
	}
}

// readLines delivers a line on request, until the input ends.
func readLines(ctx context.Context, in io.Reader, lines chan<- []byte, more <-chan struct{}) {
	reader := bufio.NewReaderSize(in, 64<<10)
	for {
		select {
		case <-more:
		case <-ctx.Done():
			return
		}
		line, err := reader.ReadBytes('\n')
		if err != nil {
			close(lines)
			return
		}
		select {
		case lines <- line[:len(line)-1]:
		case <-ctx.Done():
			return
		}
	}
}

// An output is the destination of a rule's steps.
type output interface {
	message(text string) // with the transport's framing
	bytes(text string)   // without
	other(st step)       // steps that only this transport supports
}

// play executes the steps of a rule.
func (s *Server) play(ctx context.Context, m Message, n int, steps []step, out output) {
	for _, st := range steps {
		st.text = m.expand(st.text, n)
		for range st.times {
			if ctx.Err() != nil {
				return
			}
			s.do(ctx, &m, st, out)
		}
	}
}

func (s *Server) do(ctx context.Context, m *Message, st step, out output) {
	switch st.verb {
	case "send":
		out.message(st.text)
	case "result":
		out.message(`{"jsonrpc":"2.0","id":` + m.id + `,"result":` + st.text + `}`)
	case "error":
		code, text, _ := strings.Cut(st.text, " ")
		out.message(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%s,"message":%q}}`, m.id, code, text))
	case "notify":
		method, params, _ := strings.Cut(st.text, " ")
		out.message(fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params))
	case "write":
		out.bytes(st.text)
	case "drip":
		for _, b := range []byte(st.text + "\n") {
			out.bytes(string([]byte{b}))
			wait(ctx, st.pause)
		}
	case "sleep":
		wait(ctx, st.pause)
	case "hang":
		<-ctx.Done()
	case "wait":
		_ = s.Await(ctx, st.text, 1)
	default:
		out.other(st)
	}
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
