package mcp

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// echoGrace is how long a greeting that came back may still be answered: a server that prints what it reads answers at
// once, a program that is no server never does.
const echoGrace = time.Second

// An EchoError says that whoever we talk to sends our own messages back.
type EchoError struct{ Method string }

// Error tells which message came back.
func (e *EchoError) Error() string {
	return fmt.Sprintf("our own %s came back, and no answer to it: this is no MCP server", e.Method)
}

// cameBack tells whether a request is one of ours that is sent back. It is not answered: our refusal would come back as
// well, and pass for the server's.
func (s *Session) cameBack(m *Message) bool {
	id, err := strconv.ParseInt(string(m.ID), 10, 64)
	if err != nil || m.Method == "ping" || strings.HasPrefix(m.Method, "tasks/") {
		return false // it is not ours, or both sides may ask it
	}
	s.mu.Lock()
	c := s.pending[id]
	ours := c != nil && c.method == m.Method
	first := ours && !c.echoed
	if ours {
		c.echoed = true
	}
	s.mu.Unlock()
	if !ours {
		return false
	}
	s.notice(m.Frame.Seq, "our own %s came back; not answered", m.Method)
	if first && (m.Method == "initialize" || m.Method == "server/discover") {
		s.wg.Go(func() { s.giveUpOnEcho(c) })
	}
	return true
}

// giveUpOnEcho ends a greeting that came back, unless its answer follows.
func (s *Session) giveUpOnEcho(c *call) {
	timer := time.NewTimer(echoGrace)
	defer timer.Stop()
	select {
	case <-c.done:
	case <-s.ctx.Done():
	case <-timer.C:
		s.end(c, "came back", &wire.Error{Target: s.target.String(), Doing: "open a session with", Err: &EchoError{Method: c.method},
			Stderr: s.shownStderr(),
			Hint:   "name the program that is the server; a terminal in between sends everything back, too (docker run -t, ssh -t): leave it out"})
	}
}
