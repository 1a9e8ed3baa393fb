package tracing

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

// A request has a client span below the one that it is made in, which the other side is told of; no argument is in it.
func TestTransport(t *testing.T) {
	kept := tracetest.NewInMemoryExporter()
	provider := sdk.NewTracerProvider(sdk.WithSyncer(kept))
	r := &Recorder{provider: provider, tracer: provider.Tracer("test")}
	var told []string
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		told = append(told, req.Header.Get(traceparent))
		if req.URL.Path == "/broken" {
			w.WriteHeader(http.StatusTeapot)
		}
		_, _ = io.WriteString(w, "tea")
	}))
	defer web.Close()
	client := &http.Client{Transport: r.Transport(http.DefaultTransport)}
	ctx, parent := r.tracer.Start(t.Context(), "call")
	for _, path := range []string{"/secret-path?token=secret-query", "/broken"} {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, web.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(kept.GetSpans()); path == "/broken" && n != 1 {
			t.Errorf("%d spans have ended before the second answer was read, want 1", n)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
	}
	web.Close()
	req, _ := http.NewRequestWithContext(ctx, http.MethodPost, web.URL, strings.NewReader("{}"))
	if _, err := client.Do(req); err == nil {
		t.Fatal("a server that is closed answers")
	}
	spans := kept.GetSpans()
	if len(spans) != 3 {
		t.Fatalf("%d spans, want 3", len(spans))
	}
	for i, want := range []map[string]string{
		{"http.request.method": "GET", "http.response.status_code": "200", "server.address": "127.0.0.1",
			"url.scheme": "http"},
		{"http.response.status_code": "418", "error.type": "418"},
		{"http.request.method": "POST", "error.type": "_OTHER"},
	} {
		s := spans[i]
		got := map[string]string{}
		for _, a := range s.Attributes {
			got[string(a.Key)] = a.Value.String()
			if strings.Contains(a.Value.String(), "secret") {
				t.Errorf("an argument is in the span: %s is %s", a.Key, a.Value.String())
			}
		}
		for key, value := range want {
			if got[key] != value {
				t.Errorf("span %d: %s is %q, want %q", i, key, got[key], value)
			}
		}
		if s.Parent.SpanID() != parent.SpanContext().SpanID() || s.SpanKind != trace.SpanKindClient {
			t.Errorf("span %d: kind %v below %v, want a client span below the call", i, s.SpanKind, s.Parent.SpanID())
		}
		if i < 2 && !strings.Contains(told[i], s.SpanContext.SpanID().String()) {
			t.Errorf("the other side was told %q, want the span %v", told[i], s.SpanContext.SpanID())
		}
	}
}
