package mcp

import (
	"bytes"
)

// maxAssembled bounds what is kept of lines that may belong together.
const maxAssembled = 1 << 20

// assemble puts a message together that a server printed over several lines, which no transport allows but some
// servers do. Every line stays a frame of its own in the transcript.
func (s *Session) assemble(m Message) Message {
	if !onPipe(m.Frame) || m.Frame.Err != nil {
		return m
	}
	whole := m.IsRequest() || m.IsNotification() || m.IsResponse()
	if whole {
		s.partial = nil
		return m
	}
	opens := bytes.HasPrefix(bytes.TrimSpace(m.Frame.Body), []byte("{"))
	if s.partial == nil && !opens {
		return m
	}
	s.partial = append(append(s.partial, m.Frame.Body...), '\n')
	if len(s.partial) > maxAssembled {
		s.partial = nil
		return m
	}
	if !bytes.HasSuffix(bytes.TrimSpace(m.Frame.Body), []byte("}")) {
		return m
	}
	joined := m.Frame
	joined.Body, joined.Fault = s.partial, ""
	if all := Read(joined); all.IsRequest() || all.IsNotification() || all.IsResponse() {
		all.odd("one message printed over several lines")
		s.partial = nil
		return all
	}
	return m
}
