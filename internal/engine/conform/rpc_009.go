package conform

import (
	"context"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

var rpc009 = &Check{
	Rule: finding.Rule{
		ID:       "RPC-009",
		Severity: finding.Error,
		Spec:     spec.URL(spec.March2025, "basic#batching"),
		Doc: `every request in a batch must be answered

Revision 2025-03-26 has batches: a server must accept them and respond to each request in them. If there is no response,
the client waits for all requests of the batch.`,
	},
	Since:   spec.March2025,
	Until:   spec.March2025,
	Scratch: true,
	Run: func(ctx context.Context, p *Pass) error {
		frames, err := p.batch(ctx)
		if err != nil {
			return err
		}
		ids := map[string]bool{}
		for _, f := range frames {
			m := mcp.Read(f)
			for _, one := range append([]mcp.Message{m}, m.Rest...) {
				if one.Error == nil && one.IsResponse() {
					ids[string(one.ID)] = true
				}
			}
		}
		var missing []string
		for _, id := range []string{`"mcptest-b1"`, `"mcptest-b2"`} {
			if !ids[id] {
				missing = append(missing, id)
			}
		}
		switch len(missing) {
		case 1:
			p.Report(Seen{Subject: "batch", Frames: frames}, "batch of 2 pings: no result for the one with id %s, expected both", missing[0])
		case 2:
			p.Report(Seen{Subject: "batch", Frames: frames}, "batch of 2 pings: no result for either, expected both")
		}
		return nil
	},
}

// batch sends a batch of two requests that every server supports and returns it with the responses.
func (p *Pass) batch(ctx context.Context) ([]wire.Frame, error) {
	ping := func(id string) string {
		return `{"jsonrpc":"2.0","id":"` + id + `","method":"` + p.pinged() + `","params":` + p.Params("") + `}`
	}
	body := "[" + ping("mcptest-b1") + "," + ping("mcptest-b2") + "]"
	if placeOf(p.Target.Transport()) == OnHTTP {
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
	sent, err := p.Throw(ctx, s, body)
	if err != nil {
		return nil, err
	}
	_, _ = p.Alive(ctx, s)
	if p.Revision.Batches {
		p.awaitBatch(ctx, sent)
	} else {
		p.Silence(ctx)
	}
	return append([]wire.Frame{sent}, p.answersSince(sent)...), nil
}

// ofOurBatch reports whether a message answers a request of the batch.
func ofOurBatch(m mcp.Message) bool {
	return m.IsResponse() && strings.HasPrefix(string(m.ID), `"mcptest-b`)
}

// awaitBatch waits for the responses to a batch, in one frame or several: until both IDs were received, or the timeout
// of a response.
func (p *Pass) awaitBatch(ctx context.Context, sent wire.Frame) {
	ctx, cancel := context.WithTimeout(ctx, p.Timeout())
	defer cancel()
	for ctx.Err() == nil {
		var seen strings.Builder
		for _, f := range p.answersSince(sent) {
			seen.Write(f.Body)
		}
		if strings.Contains(seen.String(), `"mcptest-b1"`) && strings.Contains(seen.String(), `"mcptest-b2"`) {
			return
		}
		p.Silence(ctx)
	}
}

// answersSince returns the responses to a batch in the scratch session, after it was sent.
func (p *Pass) answersSince(sent wire.Frame) []wire.Frame {
	var frames []wire.Frame
	for _, f := range p.round.opts.Log.Since(sent.Seq) {
		if f.From == wire.Server && strings.HasPrefix(f.Stream, p.round.nameOf(p.scratch)+"/") && strings.Contains(string(f.Body), `"mcptest-b`) {
			frames = append(frames, f)
		}
	}
	return frames
}
