package tracing

import (
	"io"
	"net/http"
	"strconv"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// Transport returns the transport with a client span for each request, following the conventions for HTTP: for a tool
// that is registered as an HTTP call. The path and the query are not included, since they contain arguments.
func (r *Recorder) Transport(next http.RoundTripper) http.RoundTripper {
	return &transport{recorder: r, next: next}
}

type transport struct {
	recorder *Recorder
	next     http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	r := t.recorder
	ctx, span := r.tracer.Start(req.Context(), req.Method, trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(httpAttributes(req)...))
	req = req.Clone(ctx)
	if req.Header.Get(traceparent) == "" { // the tool may have its own
		r.context.Inject(ctx, propagation.HeaderCarrier(req.Header))
	}
	resp, err := t.next.RoundTrip(req)
	if err != nil {
		span.SetStatus(codes.Error, "")
		span.SetAttributes(attribute.String("error.type", kindOf(ctx, err)))
		span.End()
		return nil, err
	}
	span.SetAttributes(attribute.Int("http.response.status_code", resp.StatusCode))
	if resp.StatusCode >= 400 {
		fail(span, strconv.Itoa(resp.StatusCode), false)
	}
	resp.Body = &spanBody{ReadCloser: resp.Body, span: span}
	return resp, nil
}

// A spanBody is a response body that ends the span when it is closed.
type spanBody struct {
	io.ReadCloser
	span trace.Span
}

// Close closes the body and ends the span.
func (b *spanBody) Close() error {
	defer b.span.End() // a second end has no effect
	return b.ReadCloser.Close()
}

func httpAttributes(req *http.Request) []attribute.KeyValue {
	all := []attribute.KeyValue{attribute.String("http.request.method", req.Method),
		attribute.String("url.scheme", req.URL.Scheme),
		attribute.String("server.address", spanText(req.URL.Hostname()))}
	port := map[string]int{"http": 80, "https": 443}[req.URL.Scheme]
	if said, err := strconv.Atoi(req.URL.Port()); err == nil {
		port = said
	}
	return append(all, attribute.Int("server.port", port))
}
