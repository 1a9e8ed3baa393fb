package mcp

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// How long a test that makes many calls may go without an answer before it is looked into: in looks of the watch, not
// by the clock, which runs on when the machine is stopped. Calls must not have given up by then, for that would wake
// whoever sleeps.
const (
	look     = 100 * time.Millisecond
	maxLooks = 500
)

// watch looks whether the count of answers grows, until it is told to stop. If it does not, the test gets to know all
// that can be known about both ends of the session, and the server is ended for its last words.
func watch(t *testing.T, s *Session, answers *atomic.Int64) (stop func()) {
	over, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		seen, looks := int64(-1), 0
		for {
			select {
			case <-over:
				return
			case <-time.After(look):
			}
			if n := answers.Load(); n != seen {
				seen, looks = n, 0
			} else if looks++; looks == maxLooks {
				t.Errorf("no answer after %d:\n%s", n, autopsy(s))
				return
			}
		}
	}()
	return func() { close(over); <-gone }
}

// autopsy tells where a session stands, and what its server was doing. It ends the server.
func autopsy(s *Session) string {
	pid := s.conn.(wire.Child).Pid()
	var told bytes.Buffer
	fmt.Fprintf(&told, "at %v\n", time.Now())
	fmt.Fprintf(&told, "=== what lies in the pipes\n%s", inPipes(os.Getpid())+inPipes(pid))
	fmt.Fprintf(&told, "=== the threads of the server\n%s", threads(pid))
	fmt.Fprintln(&told, "=== the last frames")
	frames := s.Transcript().Since(0)
	for _, f := range frames[max(0, len(frames)-40):] {
		fmt.Fprintf(&told, "%d %s %s %.60s\n", f.Seq, f.Time.Format("15:04:05.000000"), f.From, f.Body)
	}
	stacks := make([]byte, 1<<20)
	fmt.Fprintf(&told, "=== the client\n%s\n", stacks[:runtime.Stack(stacks, true)])
	if server, err := os.FindProcess(pid); err == nil {
		_ = server.Signal(syscall.SIGQUIT) // a Go program tells where it was
	}
	select {
	case <-s.Done():
	case <-time.After(atMost):
	}
	fmt.Fprintf(&told, "=== the server\n%s\n", s.Stderr())
	return told.String()
}
