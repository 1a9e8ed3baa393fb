package workbench

import (
	"context"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"
)

// logger writes JSON lines to standard error. Texts that a server or a config has a part in are scrubbed. Where standard
// error is the terminal that the screen is on, the last warnings are kept for the screen instead.
func (r *gatewayRun) logger() *slog.Logger {
	out := r.w.Err
	if r.in.TUI && r.w.Screen.OwnsErr {
		out = io.Discard
	}
	handler := &scrubbing{Handler: slog.NewJSONHandler(out, nil), text: func(s string) string { return strings.ToValidUTF8(r.w.Secrets.Text(s), "?") }}
	if r.in.TUI {
		handler.Handler = &noticing{Handler: handler.Handler, notices: &r.notices}
	}
	return slog.New(handler)
}

// A scrubbing handler takes secrets out of the texts that a server or a config has a part in. Most records have none of
// those, and pass as they are.
type scrubbing struct {
	slog.Handler
	text func(string) string
}

// Handle scrubs one record.
func (h *scrubbing) Handle(ctx context.Context, r slog.Record) error {
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

// notices are the last warnings. One that is repeated stands there once.
type notices struct {
	mu   sync.Mutex
	last []notice
}

type notice struct {
	time time.Time
	text string
}

// maxNotices is how many are kept.
const maxNotices = 20

func (n *notices) add(one notice) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.last = slices.DeleteFunc(n.last, func(old notice) bool { return old.text == one.text })
	n.last = append(n.last, one)
	n.last = n.last[max(0, len(n.last)-maxNotices):]
}

// all returns them as lines, the latest last.
func (n *notices) all() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	var lines []string
	for _, one := range n.last {
		lines = append(lines, one.time.Format(time.TimeOnly)+" "+one.text)
	}
	return lines
}

// A noticing handler keeps warnings as lines that a person can read.
type noticing struct {
	slog.Handler
	notices *notices
}

// Handle takes one record.
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
