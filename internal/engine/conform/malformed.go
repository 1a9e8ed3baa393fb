package conform

import (
	"context"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// repliesTo returns the responses in the scratch session that can only belong to a frame that was not a proper request:
// without an ID, or with the ID in the frame.
func (p *CheckContext) repliesTo(sent wire.Frame) []wire.Frame {
	var found []wire.Frame
	own, name := mcp.Read(sent).ID, p.round.nameOf(p.scratch)+"/"
	for _, f := range p.round.opts.Log.Since(sent.Seq) {
		if f.From != wire.Server || !strings.HasPrefix(f.Stream, name) {
			continue
		}
		m := mcp.Read(f)
		if m.IsResponse() && (m.ID == nil || string(m.ID) == "null" || own != nil && string(m.ID) == string(own)) {
			found = append(found, f)
		}
	}
	return found
}

// survives sends a frame and expects the server to respond afterwards.
func (p *CheckContext) survives(ctx context.Context, body, what string) error {
	s, err := p.Scratch(ctx)
	if err != nil {
		return err
	}
	sent, err := p.SendRaw(ctx, s, body)
	if err != nil {
		return err
	}
	if _, err := p.Alive(ctx, s); err != nil {
		p.Report(Evidence{Subject: what, Frames: []wire.Frame{sent}},
			"server no longer responds after it: %s, expected it to continue", wire.Reason(err))
	}
	return nil
}

// refusal sends a frame that is not a request and expects a specific code, if there is a response at all.
func (p *CheckContext) refusal(ctx context.Context, body, what string, codes ...int64) error {
	frames, err := p.responsesTo(ctx, body)
	if err != nil {
		return err
	}
	for _, f := range frames {
		m := mcp.Read(f)
		switch {
		case m.IsResponse() && m.Error == nil:
			p.Report(Evidence{Subject: what, Frames: []wire.Frame{f}}, "%s: got a result, expected error %d", what,
				codes[0])
		case m.Error != nil && !slices.Contains(codes, m.Error.Code):
			p.Report(Evidence{Subject: what, Frames: []wire.Frame{f}}, "%s: got %v, expected error %d", what, m.Error,
				codes[0])
		}
	}
	return nil
}

// objectID is an ID that no request may have. A server that returns it in its error only repeats our fault.
const objectID = `{"mcptest":7}`

// isReadable reports whether a server can parse one of our messages and respond with its ID: not a batch, not
// malformed, and no notification except those of the protocol.
func isReadable(m mcp.Message) bool {
	switch {
	case len(m.Odd) > 0 || len(m.Rest) > 0:
		return false
	case m.IsNotification():
		return isOwnNotification[m.Method]
	}
	return m.IsRequest() || m.IsResponse()
}

// framing reports whether an oddity belongs to the transport and not to the message: the checks of the transport report
// it.
func framing(text string) bool {
	for _, of := range []string{"not JSON", "the line ends", "a byte order mark", "an empty message", "bytes follow",
		"more than one message", "the stream ended", "over the limit",
		"ends too early", "UTF-8", "levels deep"} {
		if strings.Contains(text, of) {
			return true
		}
	}
	return false
}

// responsesTo sends a body that has no matchable response and returns the frames that follow it.
func (p *CheckContext) responsesTo(ctx context.Context, body string) ([]wire.Frame, error) {
	if transportOf(p.Target.Transport()) == OnHTTP {
		v, err := p.Visit(ctx)
		if err != nil {
			return nil, err
		}
		a, err := v.Post(ctx, nil, body)
		if err != nil {
			return nil, err
		}
		return []wire.Frame{a.Got}, nil
	}
	s, err := p.Scratch(ctx)
	if err != nil {
		return nil, err
	}
	sent, err := p.SendRaw(ctx, s, body)
	if err != nil {
		return nil, err
	}
	if _, err := p.Alive(ctx, s); err != nil {
		return nil, p.Skip("server did not continue; see RPC-005")
	}
	p.WaitIdle(ctx)
	return p.repliesTo(sent), nil
}

// isOwnNotification lists the notifications that a client sends in any session.
var isOwnNotification = map[string]bool{"notifications/initialized": true, "notifications/cancelled": true,
	"notifications/progress": true, "notifications/roots/list_changed": true}
