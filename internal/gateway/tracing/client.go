package tracing

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// Middleware creates a client span for a request to a server, and passes the trace context to the server.
func (r *Recorder) Middleware(ctx context.Context, s *upstream.Server, q upstream.Request,
	next upstream.Sender) (*mcp.Message, spec.Era, error) {
	target := targetOf(q.Method, serve.Members(q.Params))
	ctx, span := r.tracer.Start(ctx, target.title(q.Method), trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(clientAttributes(s, q.Method, target)...))
	defer span.End()
	carried := propagation.MapCarrier{}
	r.context.Inject(ctx, carried)
	q.Params = carrying(q.Params, carried)
	m, era, err := next(ctx, q)
	switch {
	case err != nil:
		span.SetStatus(codes.Error, "")
		span.SetAttributes(attribute.String("error.type", kindOf(ctx, err)))
	case m.Error != nil:
		fail(span, strconv.FormatInt(m.Error.Code, 10), true)
	case q.Method == "tools/call" && invoke.StatusOf(m.Result) == invoke.Failure:
		fail(span, toolError, false)
	}
	if m != nil && m.ID != nil {
		span.SetAttributes(attribute.String("jsonrpc.request.id", requestID(m.ID)))
	}
	return m, era, err
}

// kindOf returns a short reason why there was no response.
func kindOf(ctx context.Context, err error) string {
	switch {
	case ctx.Err() != nil:
		return "cancelled"
	case is[*upstream.OverloadedError](err):
		return "overloaded"
	case is[*upstream.DownError](err), is[*upstream.StartingError](err):
		return "unreachable"
	case is[*upstream.LostError](err):
		return "connection_lost"
	case isTimeout(err):
		return "timeout"
	}
	return "_OTHER"
}

// carrying adds the trace context to the metadata of a request; everything else stays unchanged.
func carrying(params json.RawMessage, carried propagation.MapCarrier) json.RawMessage {
	var edits []finding.Edit
	if len(params) == 0 {
		params = json.RawMessage("{}")
	}
	if _, ok := schema.Get(params, "/_meta"); !ok {
		edits = append(edits, finding.Edit{Pointer: "/_meta", Value: json.RawMessage("{}")})
	}
	for _, name := range []string{traceparent, tracestate} {
		if carried[name] != "" {
			edits = append(edits, finding.Edit{Pointer: "/_meta/" + name, Value: serve.Encode(carried[name])})
		}
	}
	changed, err := schema.Apply(params, edits)
	if err != nil {
		return params // params that cannot be edited stay unchanged
	}
	return changed
}

func clientAttributes(s *upstream.Server, method string, t target) []attribute.KeyValue {
	all := append(t.attributes(method), attribute.String("mcptest.gateway.server", spanText(s.Name)))
	if session := s.Session(); session != nil {
		all = append(all, attribute.String("mcp.protocol.version", spanText(session.Version)))
	}
	address := s.Target().URL
	if address == "" {
		return append(all, attribute.String("network.transport", "pipe"))
	}
	all = append(all, attribute.String("network.transport", "tcp"), attribute.String("network.protocol.name", "http"))
	if u, err := url.Parse(address); err == nil {
		all = append(all, attribute.String("server.address", u.Hostname()))
		if port, err := strconv.Atoi(u.Port()); err == nil {
			all = append(all, attribute.Int("server.port", port))
		}
	}
	return all
}
