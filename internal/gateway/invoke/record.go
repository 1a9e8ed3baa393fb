package invoke

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/redact"
)

// record writes one log line and an audit entry.
func (v *Invoker) record(i Invocation, out *Outcome, err error, start time.Time) {
	outcome := string(out.Status)
	if err != nil {
		outcome = TypeOf(err)
	}
	t := i.Tool
	if v.Audit != nil {
		v.Audit(Record{Time: start, Caller: i.Caller, Server: t.Server, Tool: t.Name, Version: t.Version,
			Arguments: i.Arguments, Outcome: outcome, Mismatch: out.Mismatch != nil, Elapsed: out.Elapsed,
			Trace: i.Trace})
	}
	if v.Log == nil || !v.Log.Enabled(context.Background(), slog.LevelInfo) {
		return
	}
	attributes := []slog.Attr{slog.String("tool", t.Key().String()), slog.String("caller", i.Caller),
		slog.String("arguments", Shape(i.Arguments)),
		slog.Float64("duration_ms", Milliseconds(out.Elapsed)), slog.String("outcome", outcome), slog.String("trace", i.Trace)}
	if failed, ok := err.(*ToolExecutionError); ok && failed.Stack != nil {
		attributes = append(attributes, slog.String("stack", redact.Text(string(failed.Stack))))
	}
	if err == nil && out.Status == Failure {
		attributes = append(attributes, slog.String("error", clip.Text(v.Scrub(FailureText(out.Result)), maxError)))
	}
	v.write(slog.LevelInfo, "tool call", attributes...)
	if out.Mismatch != nil {
		v.write(slog.LevelWarn, "tool result", slog.String("tool", t.Key().String()),
			slog.String("type", TypeOf(out.Mismatch)), slog.String("error", out.Mismatch.Error()),
			slog.String("trace", i.Trace))
	}
}

// write writes a log record without the position in the code, which no handler shows: finding it is a tenth of the cost.
func (v *Invoker) write(level slog.Level, message string, attributes ...slog.Attr) {
	r := slog.NewRecord(time.Now(), level, message, 0)
	r.AddAttrs(attributes...)
	_ = v.Log.Handler().Handle(context.Background(), r) // as slog does
}

// Milliseconds is a duration as the log has it.
func Milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// maxError is the maximum length of a tool's own error in the log.
const maxError = 500

// Failed is the error of a result with isError.
func (v *Invoker) Failed(i Invocation, result json.RawMessage) *ToolExecutionError {
	return &ToolExecutionError{Tool: i.Tool.Key().String(), Message: FailureText(result), Context: v.context(i),
		Result: result}
}

// context describes an invocation, without values.
func (v *Invoker) context(i Invocation) string {
	return fmt.Sprintf("caller %q, trace %q, version %d, arguments %s", i.Caller, i.Trace, i.Tool.Version,
		Shape(i.Arguments))
}

// Limits of a shape.
const (
	maxKeys = 20
	maxKey  = 40
)

// Shape describes the names, types and sizes of arguments, and none of their values: those are free-form, and a secret
// in them need not look like one.
func Shape(arguments json.RawMessage) string {
	members, err := schema.Members(arguments)
	if err != nil {
		return fmt.Sprintf("%d bytes", len(arguments))
	}
	parts := make([]string, 0, len(members))
	for _, m := range members[:min(len(members), maxKeys)] {
		name := m.Name
		if !plain(name) && (len(name) > maxKey || redact.Text(name) != name) {
			name = "…"
		}
		parts = append(parts, name+":"+kindOf(m.Value)+"("+strconv.Itoa(len(m.Value))+")")
	}
	slices.Sort(parts)
	if more := len(members) - maxKeys; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, " ")
}

// plain reports whether a name is too short and too simple to be a secret of any known form. Nearly all are, and need
// no closer check.
func plain(name string) bool {
	if len(name) >= 16 {
		return false
	}
	for i := range len(name) {
		if c := name[i]; (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return true
}

func kindOf(value json.RawMessage) string {
	switch schema.Kind(value) {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}
