package tracing

import (
	"encoding/json"
	"log/slog"
	"runtime"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/propagation"
)

// Without variables that ask for traces there is no recorder, and nothing was started.
func TestNothingUnlessAsked(t *testing.T) {
	for _, test := range []struct {
		environment string
		want        bool
	}{
		{"", false}, {"OTEL_SERVICE_NAME=x", false}, {"OTEL_EXPORTER_OTLP_ENDPOINT=http://h:4318", true},
		{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://h:4318/t", true},
		{"OTEL_TRACES_EXPORTER=otlp", true}, {"OTEL_EXPORTER_OTLP_ENDPOINT=http://h:4318 OTEL_TRACES_EXPORTER=none",
			false},
		{"OTEL_EXPORTER_OTLP_ENDPOINT=http://h:4318 OTEL_SDK_DISABLED=TRUE", false},
		{"OTEL_EXPORTER_OTLP_ENDPOINT=http://h:4318 OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf", true},
		{"OTEL_EXPORTER_OTLP_ENDPOINT=http://h:4317 OTEL_EXPORTER_OTLP_PROTOCOL=grpc " +
			"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/protobuf", true},
	} {
		lookup := func(name string) (string, bool) {
			for _, pair := range strings.Fields(test.environment) {
				if key, value, _ := strings.Cut(pair, "="); key == name {
					return value, true
				}
			}
			return "", false
		}
		before := runtime.NumGoroutine()
		r, err := FromEnvironment(t.Context(), lookup, "1", slog.New(slog.DiscardHandler))
		if got := r != nil; got != test.want || err != nil {
			t.Errorf("%q: a recorder %v (%v), want %v", test.environment, got, err, test.want)
		}
		if r != nil {
			_ = r.Close()
		} else if after := runtime.NumGoroutine(); after > before { // those of the one before may be ending
			t.Errorf("%q: %d goroutines were started, want none", test.environment, after-before)
		}
	}
}

// The trace is put where it belongs, and every other byte stays.
func TestCarrying(t *testing.T) {
	carried := propagation.MapCarrier{traceparent: "00-a-b-01"}
	for params, want := range map[string]string{
		"":                              `{"_meta":{"traceparent":"00-a-b-01"}}`,
		`{"name":"x", "n": 1.0}`:        `{"name":"x", "n": 1.0, "_meta": {"traceparent":"00-a-b-01"}}`,
		`{"_meta":{"p":1.0},"n":1e2}`:   `{"_meta":{"p":1.0,"traceparent":"00-a-b-01"},"n":1e2}`,
		`{"_meta":{"traceparent":"x"}}`: `{"_meta":{"traceparent":"00-a-b-01"}}`,
		`[1]`:                           `[1]`,
	} {
		if got := string(carrying(json.RawMessage(params), carried)); got != want {
			t.Errorf("carrying(%s) = %s, want %s", params, got, want)
		}
	}
}

// What somebody else chose is bounded, and has no secret in it.
func TestTargets(t *testing.T) {
	fields := func(name, value string) map[string]json.RawMessage {
		raw, _ := json.Marshal(value)
		return map[string]json.RawMessage{name: raw}
	}
	if got := targetOf("tools/call", fields("name", strings.Repeat("x", 1000))).title("tools/call"); len(got) > 150 {
		t.Errorf("a span's name has %d characters", len(got))
	}
	got := targetOf("resources/read", fields("uri", "https://ada:secret@host/path?token=secret#secret"))
	if got.uri != "https://host/path" || got.title("resources/read") != "resources/read" {
		t.Errorf("the resource is %q in %q, want neither parameters nor a user", got.uri, got.title("resources/read"))
	}
	if got := targetOf("tools/list", fields("name", "x")); got != (target{}) {
		t.Errorf("a list is about %v, want nothing", got)
	}
}
