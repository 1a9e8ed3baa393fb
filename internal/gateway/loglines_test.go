package gateway

import (
	"bytes"
	"errors"
	"log/slog"
	"math"
	"testing"
	"time"
)

// Every record has the line that slog writes, and the usual ones need no slog.
func TestLogLines(t *testing.T) {
	now := time.Now()
	record := func(at time.Time, level slog.Level, message string, attributes ...any) slog.Record {
		r := slog.NewRecord(at, level, message, 0)
		r.Add(attributes...)
		return r
	}
	call := record(now, slog.LevelInfo, "tool call", "tool", "a/echo", "caller", "local", "arguments", "text:string(7)",
		"duration_ms", 0.123, "outcome", "SUCCESS", "trace", "0123456789abcdef")
	if _, ok := appendRecord(nil, call); !ok {
		t.Error("the record of a call needs slog")
	}
	for _, r := range []slog.Record{call,
		record(now.UTC(), slog.LevelWarn, ""),
		record(now.Truncate(time.Second).In(time.FixedZone("x", -5400)), slog.LevelDebug, "m", "n", -1, "yes", true),
		record(now, slog.LevelInfo+1, "m", "zero", 0.0, "whole", 12.0, "large", 1e20, "larger", 1e21),
		record(now, slog.LevelInfo, "m", "small", 1e-6), record(now, slog.LevelInfo, "m", "smaller", 9e-7),
		record(now, slog.LevelInfo, "m", "below", -1.5), record(now, slog.LevelInfo, "m", "none", math.NaN()),
		record(now, slog.LevelInfo, "m", "minus zero", math.Copysign(0, -1)),
		record(now, slog.LevelInfo, `"`, `k\`, "grün\n\x7f<&>\xff", "", ""),
		record(now, slog.LevelError, "m", "error", errors.New("x"), "took", time.Second, "at", now, "any", []int{1}),
		record(now, slog.LevelInfo, "m", slog.Group("g", "a", 1), "after", "x"),
		record(now, slog.LevelInfo, "m", slog.Attr{}, "after", "x"),
		record(time.Time{}, slog.LevelInfo, "m"), record(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), slog.LevelInfo, "m"),
	} {
		var want, got bytes.Buffer
		_ = slog.NewJSONHandler(&want, nil).Handle(t.Context(), r)
		out := &logBuffer{out: &got}
		_ = (&logLines{slog.NewJSONHandler(out, nil), out}).Handle(t.Context(), r)
		out.Flush()
		if got.String() != want.String() {
			t.Errorf("got  %swant %s", &got, &want)
		}
	}
}
