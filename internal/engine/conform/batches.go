package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// batch sends a batch of two requests that every server supports and returns it with the responses.
func (p *CheckContext) batch(ctx context.Context) ([]wire.Frame, error) {
	ping := func(id string) string {
		return `{"jsonrpc":"2.0","id":"` + id + `","method":"` + p.pinged() + `","params":` + p.Params("") + `}`
	}
	body := "[" + ping("mcptest-b1") + "," + ping("mcptest-b2") + "]"
	if transportOf(p.Target.Transport()) == OnHTTP {
		v, err := p.Visit(ctx)
		if err != nil {
			return nil, err
		}
		a, err := v.Post(ctx, nil, body)
		if err != nil {
			return nil, err
		}
		var frames []wire.Frame
		for _, m := range a.Messages {
			frames = append(frames, m.Frame)
		}
		return append([]wire.Frame{a.Sent}, append(frames, a.Got)...), nil
	}
	s, err := p.Scratch(ctx)
	if err != nil {
		return nil, err
	}
	sent, err := p.SendRaw(ctx, s, body)
	if err != nil {
		return nil, err
	}
	_, _ = p.Alive(ctx, s)
	if p.Revision.Batches {
		p.awaitBatch(ctx, sent)
	} else {
		p.WaitIdle(ctx)
	}
	return append([]wire.Frame{sent}, p.responsesSince(sent)...), nil
}

// ofOurBatch reports whether a message answers a request of the batch.
func ofOurBatch(m mcp.Message) bool {
	return m.IsResponse() && strings.HasPrefix(string(m.ID), `"mcptest-b`)
}

// awaitBatch waits for the responses to a batch, in one frame or several: until both IDs were received, or the timeout
// of a response.
func (p *CheckContext) awaitBatch(ctx context.Context, sent wire.Frame) {
	ctx, cancel := context.WithTimeout(ctx, p.Timeout())
	defer cancel()
	for ctx.Err() == nil {
		var seen strings.Builder
		for _, f := range p.responsesSince(sent) {
			seen.Write(f.Body)
		}
		if strings.Contains(seen.String(), `"mcptest-b1"`) && strings.Contains(seen.String(), `"mcptest-b2"`) {
			return
		}
		p.WaitIdle(ctx)
	}
}

// responsesSince returns the responses to a batch in the scratch session, after it was sent.
func (p *CheckContext) responsesSince(sent wire.Frame) []wire.Frame {
	var frames []wire.Frame
	for _, f := range p.round.opts.Log.Since(sent.Seq) {
		if f.From == wire.Server && strings.HasPrefix(f.Stream, p.round.nameOf(p.scratch)+"/") &&
			strings.Contains(string(f.Body), `"mcptest-b`) {
			frames = append(frames, f)
		}
	}
	return frames
}
