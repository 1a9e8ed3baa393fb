// Package tracing creates traces of a gateway, following the OpenTelemetry conventions for MCP: a server span for each
// client request and a client span for each request to a server behind it, in the trace of the client. A span contains
// no arguments, results or secrets. Without the OpenTelemetry environment variables nothing is created: no exporter, no
// goroutine, no work.
package tracing

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// serviceName is the default service name if OTEL_SERVICE_NAME is not set.
const serviceName = "mcptest-gateway"

// A Recorder creates spans and exports them. If it is nil, callers omit their hooks.
type Recorder struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
	context  propagation.TraceContext
}

// FromEnvironment returns a recorder that exports traces according to the OpenTelemetry environment variables; nil if
// they do not enable it.
func FromEnvironment(ctx context.Context, lookup func(string) (string, bool), version string,
	log *slog.Logger) (*Recorder, error) {
	wanted, err := enabled(lookup)
	if err != nil || !wanted {
		return nil, err
	}
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("cannot set up trace export: %w", err)
	}
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", serviceName),
		attribute.String("service.version", version)),
		resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		log.Warn("invalid part in OTEL_RESOURCE_ATTRIBUTES", "error", err.Error())
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		log.Warn("traces are being dropped", "error",
			err.Error())
	}))
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about))
	return &Recorder{provider: provider, tracer: provider.Tracer("github.com/mcptest-dev/mcptest",
		trace.WithInstrumentationVersion(version))}, nil
}

// enabled reports whether the environment enables traces.
func enabled(lookup func(string) (string, bool)) (bool, error) {
	get := func(name string) string {
		value, _ := lookup(name)
		return strings.TrimSpace(value)
	}
	if strings.EqualFold(get("OTEL_SDK_DISABLED"), "true") {
		return false, nil
	}
	place := get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") + get("OTEL_EXPORTER_OTLP_ENDPOINT")
	switch how := get("OTEL_TRACES_EXPORTER"); how {
	case "none":
		return false, nil
	case "":
		if place == "" {
			return false, nil
		}
	case "otlp":
	default:
		return false, fmt.Errorf("OTEL_TRACES_EXPORTER is %q, expected otlp or none", how)
	}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"} {
		switch protocol := get(name); protocol {
		case "http/protobuf":
			return true, nil
		case "":
		default:
			return false, fmt.Errorf("%s is %q, expected http/protobuf, usually on port 4318", name, protocol)
		}
	}
	return true, nil
}

// closeTimeout is the timeout for exporting the last spans.
const closeTimeout = 5 * time.Second

// Close exports the pending spans.
func (r *Recorder) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	return r.provider.Shutdown(ctx)
}
