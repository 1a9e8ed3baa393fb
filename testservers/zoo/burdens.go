package zoo

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/mcptest-dev/mcptest/internal/stdinwake"
)

// Burdened lists servers whose defect shows only under load: sequential calls are handled correctly.
// Each is a process and a handler, and handles calls concurrently. Their only tool, t, returns its argument m.
func Burdened() []Server {
	return []Server{
		burdened("stalls-once", "stalls for a second, once", func() burden { return &stalling{} }),
		burdened("mixes-up", "swaps the responses of concurrent calls", func() burden { return &swapping{} }),
		burdened("deadlocks", "never responds to concurrent calls", func() burden { return &locking{} }),
		burdened("dies", "exits under load", func() burden { return &dying{} }),
		burdened("leaks", "leaks memory and a file per call", func() burden { return &leaking{} }),
		burdened("sound", "none", func() burden { return sturdy{} }),
	}
}

// A burden handles one call and returns its text. Calls may be concurrent.
type burden interface {
	answer(ctx context.Context, message string) (text string, alive bool)
}

func burdened(name, defect string, fresh func() burden) Server {
	return Server{Name: name, Defect: defect,
		Main:    func() int { return carry(fresh()) },
		Handler: func() http.Handler { return carrier{fresh()} }}
}

// carry serves over stdio.
func carry(b burden) int {
	defer stdinwake.Start()()
	lines, out := bufio.NewReader(os.Stdin), &sync.Mutex{}
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return 0
		}
		go func() {
			reply, alive := replyTo(context.Background(), b, line)
			if !alive {
				fmt.Fprintln(os.Stderr, "fatal: out of workers")
				os.Exit(5)
			}
			out.Lock()
			defer out.Unlock()
			_, _ = os.Stdout.Write(reply)
		}()
	}
}

// A carrier serves over HTTP. After a crash it closes every connection.
type carrier struct{ burden }

func (c carrier) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	reply, alive := replyTo(r.Context(), c.burden, body)
	switch {
	case !alive:
		panic(http.ErrAbortHandler)
	case reply == nil:
		w.WriteHeader(http.StatusAccepted)
	default:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(reply)
	}
}

// replyTo returns the response line to a message; nil for a notification.
func replyTo(ctx context.Context, b burden, line []byte) (reply []byte, alive bool) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct{ Arguments struct{ M string } }
	}
	if json.Unmarshal(bytes.TrimSpace(line), &m) != nil || m.ID == nil {
		return nil, true
	}
	result := `"error":{"code":-32601,"message":"unknown"}`
	switch m.Method {
	case "initialize":
		result = `"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},` +
			`"serverInfo":{"name":"burdened","version":"1"}}`
	case "ping":
		if d, ok := b.(*dying); ok && d.dead() {
			return nil, false
		}
		result = `"result":{}`
	case "tools/list":
		result = `"result":{"tools":[{"name":"t","description":"Returns m.","annotations":{"readOnlyHint":true},` +
			`"inputSchema":{"type":"object","properties":{"m":{"type":"string"}}}}]}`
	case "tools/call":
		text, alive := b.answer(ctx, m.Params.Arguments.M)
		if !alive {
			return nil, false
		}
		result = `"result":{"content":[{"type":"text","text":` + strconv.Quote(text) + `}]}`
	}
	return []byte(`{"jsonrpc":"2.0","id":` + string(m.ID) + "," + result + "}\n"), true
}

type sturdy struct{}

func (sturdy) answer(_ context.Context, message string) (string, bool) { return message, true }

// A stalling server handles calls sequentially, and takes a second for one of them.
type stalling struct {
	mu    sync.Mutex
	calls int
}

// StallAt is the number of the call in which stalls-once stalls, for StallTime.
const (
	StallAt   = 50
	StallTime = time.Second
)

func (s *stalling) answer(_ context.Context, message string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls++; s.calls == StallAt {
		time.Sleep(StallTime)
	}
	return message, true
}

// A swapping server stores its current call in shared state.
type swapping struct {
	mu      sync.Mutex
	waiting chan string // of the waiting call; nil if there is none
	mine    string
}

func (s *swapping) answer(_ context.Context, message string) (string, bool) {
	s.mu.Lock()
	if s.waiting != nil {
		other := s.mine
		s.waiting <- message
		s.waiting = nil
		s.mu.Unlock()
		return other, true
	}
	swapped := make(chan string, 1)
	s.waiting, s.mine = swapped, message
	s.mu.Unlock()
	select {
	case other := <-swapped:
		return other, true
	case <-time.After(50 * time.Millisecond):
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting == swapped {
		s.waiting = nil
		return message, true
	}
	return <-swapped, true
}

// A locking server takes two locks in an order that depends on the order of calls.
type locking struct {
	mu   sync.Mutex
	open int
	hung bool
}

func (l *locking) answer(ctx context.Context, message string) (string, bool) {
	l.mu.Lock()
	l.open++
	l.mu.Unlock()
	time.Sleep(50 * time.Millisecond) // gives another call time to arrive
	l.mu.Lock()
	l.hung = l.hung || l.open > 1
	hung := l.hung
	l.open--
	l.mu.Unlock()
	if hung {
		<-ctx.Done()
	}
	return message, true
}

// A dying server crashes after a number of calls.
type dying struct {
	mu    sync.Mutex
	calls int
}

const callsOfALife = 60

func (d *dying) answer(_ context.Context, message string) (string, bool) {
	d.mu.Lock()
	d.calls++
	d.mu.Unlock()
	return message, !d.dead()
}

func (d *dying) dead() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.calls >= callsOfALife
}

// A leaking server frees nothing.
type leaking struct {
	mu    sync.Mutex
	kept  [][]byte
	files []*os.File
}

const leakOfACall = 256 << 10

func (l *leaking) answer(_ context.Context, message string) (string, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept = append(l.kept, bytes.Repeat([]byte{1}, leakOfACall))
	if file, err := os.Open(os.DevNull); err == nil {
		l.files = append(l.files, file)
	}
	return message, true
}
