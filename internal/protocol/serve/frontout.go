package serve

import (
	"errors"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// sent writes the messages of the server, except those that its client must not see.
func (f *lineConn) sent(l *sdkTransport, m jsonrpc.Message) error {
	reply, ok := m.(*jsonrpc.Response)
	if !ok {
		if f.unwanted(l, m.(*jsonrpc.Request)) {
			return nil
		}
		return f.emit(m)
	}
	f.mu.Lock()
	x := f.pending[reply.ID]
	delete(f.pending, reply.ID)
	if reply.ID == f.opening && reply.Error != nil {
		f.revision = "" // a failed handshake may be repeated
	}
	f.signal()
	f.mu.Unlock()
	if x != nil && x.method == "subscriptions/listen" {
		l.Close()
	}
	switch {
	case x == nil:
		return nil
	case x.batch != nil && x.cancelled:
		return x.batch.add(f, nil)
	case x.cancelled: // gets no response
		return nil
	case x.batch != nil:
		return x.batch.add(f, encodeReply(reply))
	}
	return f.out.Write(encodeReply(reply))
}

// unwanted reports notifications that the SDK sends too early or to a client that has not requested them.
func (f *lineConn) unwanted(l *sdkTransport, m *jsonrpc.Request) bool {
	switch m.Method {
	case "notifications/tools/list_changed", "notifications/prompts/list_changed",
		"notifications/resources/list_changed":
		f.mu.Lock()
		defer f.mu.Unlock()
		return l.era == spec.Legacy && !f.ready ||
			l.era == spec.Modern && Members(Members(m.Params)["_meta"])["io.modelcontextprotocol/subscriptionId"] == nil
	}
	return false
}

func (f *lineConn) emit(m jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	return f.out.Write(text)
}

// encodeReply encodes a response of the SDK, with a protocol error code if the SDK has set none.
func encodeReply(r *jsonrpc.Response) []byte {
	var known *jsonrpc.Error
	if r.Error != nil && (!errors.As(r.Error, &known) || known.Code == 0) {
		r = &jsonrpc.Response{ID: r.ID, Error: &jsonrpc.Error{Code: CodeInternal, Message: r.Error.Error()}}
	}
	text, err := jsonrpc.EncodeMessage(r)
	if err != nil {
		text, _ = jsonrpc.EncodeMessage(&jsonrpc.Response{ID: r.ID,
			Error: &jsonrpc.Error{Code: CodeInternal, Message: err.Error()}})
	}
	return text
}
