package tracing

import (
	"context"
	"encoding/json"
	"strconv"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
)

// Where a message carries its trace context.
const (
	traceparent = "traceparent"
	tracestate  = "tracestate"
)

// Before returns the backend with a server span for each request.
func (r *Recorder) Before(next serve.Backend) serve.Backend {
	return &recorded{Backend: next, recorder: r}
}

// A recorded is a backend whose responses have spans.
type recorded struct {
	serve.Backend
	recorder *Recorder
}

// Answer responds within a span. The trace context of the request is replaced by that span, so that the log and the
// server that the request is forwarded to are part of the same trace.
func (b *recorded) Answer(ctx context.Context, c *serve.Call) (json.RawMessage, *serve.Error) {
	r := b.recorder
	ctx = r.context.Extract(ctx, carrierOf(c))
	target := targetOf(c.Method, c.Fields)
	ctx, span := r.tracer.Start(ctx, target.title(c.Method), trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(serverAttributes(c, target)...))
	defer span.End()
	carried := propagation.MapCarrier{}
	r.context.Inject(ctx, carried)
	if c.Meta == nil {
		c.Meta = map[string]json.RawMessage{}
	}
	for name, value := range carried {
		c.Meta[name] = serve.Encode(value)
	}
	result, bad := b.Backend.Answer(ctx, c)
	switch {
	case bad != nil:
		fail(span, strconv.Itoa(bad.Code), true)
	case c.Method == "tools/call" && invoke.StatusOf(result) == invoke.Failure:
		fail(span, toolError, false)
	}
	return result, bad
}

// toolError is the error type of a result with isError.
const toolError = "tool_error"

// fail marks a span as failed. Messages are not included: they may contain client data.
func fail(span trace.Span, kind string, isCode bool) {
	span.SetStatus(codes.Error, "")
	span.SetAttributes(attribute.String("error.type", kind))
	if isCode {
		span.SetAttributes(attribute.String("rpc.response.status_code", kind))
	}
}

// carrierOf is the location of the trace context of a request: its metadata, or else its HTTP headers.
func carrierOf(c *serve.Call) propagation.MapCarrier {
	found := propagation.MapCarrier{}
	for _, name := range []string{traceparent, tracestate} {
		var value string
		if json.Unmarshal(c.Meta[name], &value) == nil && value != "" {
			found[name] = value
		}
	}
	if found[traceparent] == "" && c.Header != nil {
		found[traceparent], found[tracestate] = c.Header.Get(traceparent), c.Header.Get(tracestate)
	}
	return found
}

func serverAttributes(c *serve.Call, t target) []attribute.KeyValue {
	all := append(t.attributes(c.Method), attribute.String("jsonrpc.request.id", requestID(c.ID)))
	version := c.Peer.Revision
	if version == "" {
		_ = json.Unmarshal(c.Meta[serve.MetaVersion], &version)
	}
	if version != "" {
		all = append(all, attribute.String("mcp.protocol.version", spanText(version)))
	}
	if c.Peer.ID != "" {
		all = append(all, attribute.String("mcp.session.id", c.Peer.ID))
	}
	if c.Header == nil {
		return append(all, attribute.String("network.transport", "pipe"))
	}
	return append(all, attribute.String("network.transport", "tcp"), attribute.String("network.protocol.name", "http"))
}

// requestID is an id as text.
func requestID(id json.RawMessage) string {
	var text string
	if json.Unmarshal(id, &text) == nil {
		return spanText(text)
	}
	return spanText(string(id))
}
