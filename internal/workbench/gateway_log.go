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
	scrub := func(_ []string, a slog.Attr) slog.Attr {
		switch a.Key {
		case "error", "reason", "stack":
			a.Value = slog.StringValue(strings.ToValidUTF8(r.w.Secrets.Text(a.Value.String()), "?"))
		}
		return a
	}
	if !r.in.TUI {
		return slog.New(slog.NewJSONHandler(r.w.Err, &slog.HandlerOptions{ReplaceAttr: scrub}))
	}
	out := r.w.Err
	if r.w.Screen.OwnsErr {
		out = io.Discard
	}
	return slog.New(&noticing{Handler: slog.NewJSONHandler(out, &slog.HandlerOptions{ReplaceAttr: scrub}), scrub: scrub, notices: &r.notices})
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
	scrub   func([]string, slog.Attr) slog.Attr
	notices *notices
}

// Handle takes one record.
func (h *noticing) Handle(ctx context.Context, r slog.Record) error {
	if r.Level >= slog.LevelWarn {
		text := r.Message
		r.Attrs(func(a slog.Attr) bool {
			text += "  " + a.Key + " " + h.scrub(nil, a).Value.String()
			return true
		})
		h.notices.add(notice{r.Time, strings.ReplaceAll(text, "\n", " ")})
	}
	return h.Handler.Handle(ctx, r)
}
