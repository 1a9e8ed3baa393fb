package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// An OutputError is the failure of a handshake with a process that writes something other than JSON-RPC
// messages to stdout. It describes the output.
type OutputError struct {
	Kind  string // what the output is
	Line  string // its first line, shortened
	Lines int    // how many lines there were
	Err   error  // what ended the handshake; nil if it failed because of the output
}

// Error returns the output, and what ended the handshake.
func (e *OutputError) Error() string {
	text := fmt.Sprintf("stdout has %s instead of JSON-RPC messages: %q", e.Kind, e.Line)
	if e.Lines > 1 {
		text += fmt.Sprintf(" and %d more lines", e.Lines-1)
	}
	if e.Err == nil {
		return text
	}
	return fmt.Sprintf("%s; %v", text, e.Err)
}

// Unwrap returns what ended the handshake.
func (e *OutputError) Unwrap() error { return e.Err }

// The kinds of output that are not messages, and what to do about each.
const (
	kindFraming = "Content-Length headers, the LSP framing,"
	kindHTML    = "HTML"
	kindPrompt  = "the prompt of a shell or interpreter"
	kindJSON    = "JSON that is not JSON-RPC"
	kindBanner  = "text that does not end"
	kindEndless = "a line that does not end"
	kindText    = "text"
)

var outputHints = map[string]hint.Text{
	kindFraming: "MCP over stdio uses one JSON message per line and no headers: start the server in that mode, or " +
		"fix its framing",
	kindHTML:    "this looks like a web server: if it serves MCP over HTTP, pass its URL instead of the command",
	kindPrompt:  "pass the command of the server itself: this command started a shell or an interpreter",
	kindJSON:    "write logs to stderr: stdout is for JSON-RPC messages, one per line",
	kindBanner:  "write logs and banners to stderr: stdout is for JSON-RPC messages, one per line",
	kindEndless: "end each JSON-RPC message with a newline, and write logs to stderr",
	kindText:    "write logs and banners to stderr: stdout is for JSON-RPC messages, one per line",
}

var (
	framingLine = lazyregexp.New(`(?i)^Content-(Length|Type)\s*:`)
	htmlLine    = lazyregexp.New(`(?i)^\s*<(!doctype html|html|head|body)\b`)
	promptLine  = lazyregexp.New(`^(\S{0,80}[$#%] |>>> |> |PS \S.{0,200}> ?|[A-Z]:\\[^>]{0,` +
		`200}>|sh-[\d.]+[$#]|bash-[\d.]+[$#])`)
)

// endlessLines is the number of lines before the response to a handshake from which the output counts as
// endless.
const endlessLines = 200

// unusableOutput counts the lines of a process that are not messages.
type unusableOutput struct {
	lines int
	kind  string // of the most informative line
	line  string
	last  string // the line that came last
}

// add adds a line.
func (u *unusableOutput) add(body []byte) {
	u.lines++
	u.last = fmt.Sprintf("%.120s", bytes.TrimSpace(body))
	kind := kindOfOutput(body)
	if u.kind == "" || u.kind == kindText && kind != kindText {
		u.kind, u.line = kind, u.last
	}
	if u.kind == kindText && u.lines >= endlessLines {
		u.kind = kindBanner
	}
}

func kindOfOutput(line []byte) string {
	switch {
	case framingLine().Match(line):
		return kindFraming
	case htmlLine().Match(line):
		return kindHTML
	case promptLine().Match(line):
		return kindPrompt
	case json.Valid(line):
		return kindJSON
	}
	return kindText
}

// failure returns the error of a handshake that ended with err.
func (u *unusableOutput) failure(err error) *OutputError {
	return &OutputError{Kind: u.kind, Line: u.line, Lines: u.lines, Err: err}
}

// onUnusable records a line that is not a message. A handshake with a process that writes headers before its
// messages fails: it reads no messages without them.
func (s *Session) onUnusable(m *Message) {
	if !onPipe(m.Frame) || len(bytes.TrimSpace(m.Frame.Body)) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.output.add(m.Frame.Body)
	if s.output.kind != kindFraming || s.output.lines > 1 {
		return
	}
	for _, c := range s.pending {
		if isHandshake(c.method) {
			failure := &wire.Error{Target: s.target.String(), Doing: "open a session with",
				Hint: outputHints[kindFraming], Err: s.output.failure(nil)}
			s.wg.Go(func() { s.giveUp(c, failure) })
		}
	}
}

// Unusable returns the number of lines in the server's stdout that were not messages, and the last of them, shortened.
func (s *Session) Unusable() (lines int, last string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.output.lines, s.output.last
}

// withOutputLocked adds what the process wrote instead of messages to the error of a handshake.
func (s *Session) withOutputLocked(c *call, err error) error {
	if !isHandshake(c.method) {
		return err
	}
	s.addUnfinishedLocked()
	return s.output.explain(err)
}

// withOutput is the same for an error that is known to be from a handshake.
func (s *Session) withOutput(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addUnfinishedLocked()
	return s.output.explain(err)
}

// addUnfinishedLocked counts the line that the process has not ended, if there is no other.
func (s *Session) addUnfinishedLocked() {
	child, ok := s.conn.(wire.Child)
	if !ok || s.output.lines > 0 {
		return
	}
	if line, size := child.Unfinished(); size > 0 {
		s.output.add(line)
		if s.output.kind == kindText || s.output.kind == kindJSON {
			s.output.kind = kindEndless
		}
	}
}

func (u *unusableOutput) explain(err error) error {
	var e *wire.Error
	var known *OutputError
	if u.lines == 0 || !errors.As(err, &e) || errors.As(err, &known) {
		return err
	}
	failure := *e
	failure.Err = u.failure(e.Err)
	var exit *wire.ExitError
	if !errors.As(e.Err, &exit) { // the reason for the exit matters more then
		failure.Hint = outputHints[u.kind]
	}
	return &failure
}
