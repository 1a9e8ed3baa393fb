package conform

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http048 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-048",
		Severity: finding.Error,
		Spec:     spec.URL(spec.November2025, "basic/transports#resumability-and-redelivery"),
		Doc: `resumed stream must contain only later events of the same stream

A client that lost a connection sends GET with the ID of the last event that it received in Last-Event-ID. The server may
then send the events that came after it on the same stream. Events that the client already has, and events of other streams,
arrive twice: the client handles a notification again, or gets a response to a request that is complete.

Find the stream of the event, and send only what was stored for that stream after the event. A server that stores no events
can return 405 or send nothing. An event that the client already has is an error. One of another stream is a warning: example
stores that many servers copy do this. The check needs a server that sends event IDs.`,
	},
	Since: spec.March2025,
	Until: spec.NewestLegacy,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		v, err := p.Visit(ctx)
		if err != nil {
			return err
		}
		general := make(chan *HTTPExchange, 1)
		go func() { general <- p.generalStream(ctx, v) }()
		done, err := p.eventStreams(ctx, v)
		var opened *HTTPExchange
		p.idle(func() { opened = <-general })
		if err != nil {
			return err
		}
		own := ""
		if len(done) > 0 {
			own = lastEventID(done[0])
		}
		last := ""
		if opened != nil {
			last = lastEventID(opened)
		}
		switch {
		case own == "" && last == "":
			return p.Skip("no event has an ID")
		case len(done) > 1 && own == lastEventID(done[1]) || own == last:
			return p.Skip("event IDs are not unique") // see HTTP-027
		}
		if own != "" {
			p.reportReplayed(p.resumeQuietly(ctx, v, own), own, done[0].Reply())
		}
		if last != "" {
			p.reportReplayed(p.resumeQuietly(ctx, v, last), last, nil)
		}
		return nil
	},
}

// Limits of resumed streams.
const (
	resumedQuiet   = time.Second     // nothing more is expected on a stream after that time without an event
	resumedTimeout = 3 * time.Second // how long events are read, even if more arrive
)

// generalStream reads the stream of a session that belongs to no request, until it is quiet; nil if there is none.
func (p *CheckContext) generalStream(ctx context.Context, v *HTTPSession) *HTTPExchange {
	ctx, cancel := context.WithTimeout(ctx, resumedTimeout)
	defer cancel()
	a, err := p.Fetch(ctx, Fetch{Method: http.MethodGet, Header: v.streamHeader(), Quiet: resumedQuiet})
	if err != nil || !a.Stream {
		return nil
	}
	return a
}

// eventStreams makes two requests whose responses are streams with event IDs: two pings, or two calls of a tool. It
// returns nothing if the server has no such streams.
func (p *CheckContext) eventStreams(ctx context.Context, v *HTTPSession) ([]*HTTPExchange, error) {
	ping := func() (*HTTPExchange, error) { return v.Ping(ctx, nil) }
	first, err := ping()
	if err != nil {
		return nil, err
	}
	next := ping
	if lastEventID(first) == "" { // servers often stream only the responses to calls
		tool, err := p.streamedTool(ctx)
		if skip := (*errSkip)(nil); errors.As(err, &skip) {
			return nil, nil
		} else if err != nil {
			return nil, err
		}
		next = func() (*HTTPExchange, error) { return p.callOver(ctx, v, tool, "mcptest-resumed", false) }
		if first, err = next(); err != nil {
			return nil, err
		}
	}
	second, err := next()
	if err != nil || first.Reply() == nil || second.Reply() == nil || lastEventID(first) == "" ||
		lastEventID(second) == "" {
		return nil, err
	}
	return []*HTTPExchange{first, second}, nil
}

// lastEventID returns the ID of the last event of a stream; empty if it has no IDs.
func lastEventID(a *HTTPExchange) string {
	if len(a.Events) == 0 {
		return ""
	}
	return a.Events[len(a.Events)-1]
}

// resumeQuietly reads what a server sends after an event, until the stream is quiet; nil if it does not resume streams.
func (p *CheckContext) resumeQuietly(ctx context.Context, v *HTTPSession, event string) *HTTPExchange {
	ctx, cancel := context.WithTimeout(ctx, resumedTimeout)
	defer cancel()
	f := v.resumption(event)
	f.Quiet = resumedQuiet
	var a *HTTPExchange
	var err error
	p.idle(func() { a, err = p.Fetch(ctx, f) })
	if err != nil || !a.Stream {
		return nil
	}
	return a
}

// reportReplayed reports what a stream that was resumed after an event must not contain. The client has every response,
// so each one in it is a repetition; own is the response on the stream itself, and nil if it has none. Other messages
// may be new ones.
func (p *CheckContext) reportReplayed(a *HTTPExchange, event string, own *mcp.Message) {
	if a == nil {
		return
	}
	var again, other bool
	for _, m := range a.Messages {
		shown := *a
		shown.Got, shown.Changed = m.Frame, http.Header{"Last-Event-ID": {event}}
		seen := Evidence{Subject: "Last-Event-ID", Answer: &shown, Led: true}
		isResponse := m.IsResponse() && m.ID != nil && string(m.ID) != "null"
		isOwn := isResponse && own != nil && equalJSON(m.ID, own.ID)
		switch {
		case isResponse && !isOwn && !other:
			other = true
			p.Warn(seen, "GET after the last event of a stream: got the response with ID %s of another stream, expected "+
				"only later events of the same stream", show(m.ID))
		case (hasEventID(m, event) || isOwn && hasEventID(*own, event)) && !again:
			again = true
			p.Report(seen, "GET after the last event of a stream: got this event again, expected only later events")
		}
	}
}

// hasEventID reports whether a message came in the event with the ID.
func hasEventID(m mcp.Message, id string) bool {
	return m.Frame.Event != nil && m.Frame.Event.HasID && m.Frame.Event.ID == id
}
