package mcp

import (
	"bytes"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
)

// maxAssembled limits the buffered lines that may belong together.
const maxAssembled = 1 << 20

// A partialMessage is an incomplete message that a server printed over several lines. No transport allows that, but
// some servers do it.
type partialMessage struct {
	text  []byte
	depth int // open braces and brackets
}

// assemble joins a message from several lines. Every line remains a separate frame in the transcript.
func (s *Session) assemble(m Message) Message {
	if !onPipe(m.Frame) || m.Frame.Err != nil {
		return m
	}
	if m.IsRequest() || m.IsNotification() || m.IsResponse() {
		s.partial = partialMessage{}
		return m
	}
	whole := s.partial.add(m.Frame.Body)
	if whole == nil {
		return m
	}
	joined := m.Frame
	joined.Body, joined.Fault = whole, ""
	if all := Read(joined); all.IsRequest() || all.IsNotification() || all.IsResponse() {
		all.odd("message spans several lines")
		return all
	}
	return m
}

// add adds a line and returns the whole text once all brackets are closed.
func (p *partialMessage) add(line []byte) []byte {
	if len(p.text) == 0 && !bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) {
		return nil
	}
	p.text = append(append(p.text, line...), '\n')
	open, _ := rawjson.Nesting(line)
	p.depth += open
	if p.depth > 0 && len(p.text) <= maxAssembled {
		return nil
	}
	whole := p.text
	if *p = (partialMessage{}); len(whole) > maxAssembled {
		return nil
	}
	return whole
}
