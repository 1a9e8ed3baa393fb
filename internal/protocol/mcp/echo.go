package mcp

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// echoGrace is how long a handshake may still get a response after another message arrived: a server that
// echoes its input responds immediately, a program that is not a server never does.
const echoGrace = time.Second

// An EchoError reports that the process echoes our own messages.
type EchoError struct{ Method string }

// Error returns which message was echoed.
func (e *EchoError) Error() string {
	return fmt.Sprintf("the process echoed the %s request instead of responding to it; it is not an MCP server",
		e.Method)
}

// isEcho reports whether a request is an echo of ours. It gets no response: our error response would also be
// echoed, and be taken for the server's.
func (s *Session) isEcho(m *Message) bool {
	id, err := strconv.ParseInt(string(m.ID), 10, 64)
	if err != nil || m.Method == "ping" || strings.HasPrefix(m.Method, "tasks/") {
		return false // it is not ours, or both sides may send it
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
	s.notice(m.Frame.Seq, "our own %s was echoed; ignored", m.Method)
	if first && isHandshake(m.Method) {
		s.wg.Go(func() {
			s.giveUp(c, &wire.Error{Target: s.target.String(), Doing: "open a session with",
				Err: &EchoError{Method: c.method},
				Hint: "pass the command of the server itself, without a terminal in between: a terminal echoes its " +
					"input (docker run -t, ssh -t)"})
		})
	}
	return true
}

// giveUp fails a handshake that got another message instead of its response, unless the response follows
// shortly.
func (s *Session) giveUp(c *call, failure *wire.Error) {
	timer := time.NewTimer(echoGrace)
	defer timer.Stop()
	select {
	case <-c.done:
	case <-s.ctx.Done():
	case <-timer.C:
		failure.Stderr = s.displayStderr()
		s.end(c, "was abandoned", failure)
	}
}
