// Package spans makes traces of what a gateway does, by OpenTelemetry's conventions for MCP: a server span for each
// request of a client and a client span for each request to a server behind it, in the trace that the client says it is
// part of. No argument, no result and no secret is in a span. Without the variables of OpenTelemetry in the environment
// there is nothing: no exporter, no goroutine, no work.
package spans

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

// serviceName is who we are in a trace if OTEL_SERVICE_NAME does not say.
const serviceName = "mcptest-gateway"

// A Recorder makes spans and sends them. A nil one does not exist: callers leave their hooks away.
type Recorder struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
	context  propagation.TraceContext
}

// FromEnvironment returns a recorder that sends traces as OpenTelemetry's own variables say; nil if they ask for none.
func FromEnvironment(ctx context.Context, lookup func(string) (string, bool), version string, log *slog.Logger) (*Recorder, error) {
	wanted, err := asked(lookup)
	if err != nil || !wanted {
		return nil, err
	}
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("prepare to send traces: %w", err)
	}
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", serviceName), attribute.String("service.version", version)),
		resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		log.Warn("a part of OTEL_RESOURCE_ATTRIBUTES cannot be used", "error", err.Error())
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("traces are lost", "error", err.Error()) }))
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about))
	return &Recorder{provider: provider, tracer: provider.Tracer("github.com/mcptest-dev/mcptest", trace.WithInstrumentationVersion(version))}, nil
}

// asked tells whether the environment asks for traces.
func asked(lookup func(string) (string, bool)) (bool, error) {
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
		return false, fmt.Errorf("OTEL_TRACES_EXPORTER is %q; want otlp or none", how)
	}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"} {
		switch protocol := get(name); protocol {
		case "http/protobuf":
			return true, nil
		case "":
		default:
			return false, fmt.Errorf("%s is %q; want http/protobuf, usually on port 4318", name, protocol)
		}
	}
	return true, nil
}

// closeTime is how long the last spans may take to be sent.
const closeTime = 5 * time.Second

// Close sends what has not been sent yet.
func (r *Recorder) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	return r.provider.Shutdown(ctx)
}
