package mcp

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// echoGrace is how long a handshake may still be answered after something else came: a server that prints what it reads
// answers at once, a program that is no server never does.
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
	if first && isHandshake(m.Method) {
		s.wg.Go(func() {
			s.giveUp(c, &wire.Error{Target: s.target.String(), Doing: "open a session with", Err: &EchoError{Method: c.method},
				Hint: "name the program that is the server; a terminal in between sends everything back, too (docker run -t, ssh -t): leave it out"})
		})
	}
	return true
}

// giveUp ends a handshake to which something came that is no response to it, unless the response follows at once.
func (s *Session) giveUp(c *call, failure *wire.Error) {
	timer := time.NewTimer(echoGrace)
	defer timer.Stop()
	select {
	case <-c.done:
	case <-s.ctx.Done():
	case <-timer.C:
		failure.Stderr = s.shownStderr()
		s.end(c, "was given up", failure)
	}
}
