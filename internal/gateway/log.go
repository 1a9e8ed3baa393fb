package gateway

import (
	"context"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"
)

// logger writes JSON lines to stderr. Texts that may come from a server or a config are scrubbed. If stderr is
// the terminal of the dashboard, the last warnings are kept for the dashboard instead.
func (r *gatewayRun) logger() *slog.Logger {
	out := r.w.Err
	if r.in.TUI && r.w.Screen.OwnsErr {
		out = io.Discard
	}
	r.log.out = out
	handler := &scrubbing{Handler: &logLines{slog.NewJSONHandler(&r.log, nil), &r.log}, flush: r.log.Flush,
		text: func(s string) string { return strings.ToValidUTF8(r.w.Secrets.Text(s), "?") }}
	if r.in.TUI {
		handler.Handler = &noticing{Handler: handler.Handler, notices: &r.notices}
	}
	return slog.New(handler)
}

// A scrubbing handler removes secrets from texts that may come from a server or a config. Most records have
// none of those and pass unchanged. Warnings are not held back.
type scrubbing struct {
	slog.Handler
	text  func(string) string
	flush func()
}

// Handle scrubs one record.
func (h *scrubbing) Handle(ctx context.Context, r slog.Record) error {
	if r.Level >= slog.LevelWarn {
		defer h.flush()
	}
	foreign := false
	r.Attrs(func(a slog.Attr) bool {
		foreign = isForeign(a.Key)
		return !foreign
	})
	if !foreign {
		return h.Handler.Handle(ctx, r)
	}
	clean := slog.NewRecord(r.Time, r.Level, r.Message, r.PC)
	r.Attrs(func(a slog.Attr) bool {
		if isForeign(a.Key) {
			a.Value = slog.StringValue(h.text(a.Value.String()))
		}
		clean.AddAttrs(a)
		return true
	})
	return h.Handler.Handle(ctx, clean)
}

func isForeign(key string) bool {
	return key == "error" || key == "reason" || key == "stack" || key == "stderr"
}

// notices are the last warnings. A repeated one is listed once.
type notices struct {
	mu   sync.Mutex
	last []notice
}

type notice struct {
	time time.Time
	text string
}

// maxNotices is the maximum number of warnings.
const maxNotices = 20

func (n *notices) add(one notice) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.last = slices.DeleteFunc(n.last, func(old notice) bool { return old.text == one.text })
	n.last = append(n.last, one)
	n.last = n.last[max(0, len(n.last)-maxNotices):]
}

// all returns the warnings as lines, the latest last.
func (n *notices) all() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	var lines []string
	for _, one := range n.last {
		lines = append(lines, one.time.Format(time.TimeOnly)+" "+one.text)
	}
	return lines
}

// A noticing handler stores warnings as readable lines.
type noticing struct {
	slog.Handler
	notices *notices
}

// Handle stores one record.
func (h *noticing) Handle(ctx context.Context, r slog.Record) error {
	if r.Level >= slog.LevelWarn {
		text := r.Message
		r.Attrs(func(a slog.Attr) bool {
			text += "  " + a.Key + " " + a.Value.String()
			return true
		})
		h.notices.add(notice{r.Time, strings.ReplaceAll(text, "\n", " ")})
	}
	return h.Handler.Handle(ctx, r)
}
