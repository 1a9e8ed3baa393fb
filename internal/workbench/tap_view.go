package workbench

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/tap"
)

// A TapViewInput is the input of TapView.
type TapViewInput struct {
	Session string `json:"session,omitempty" cli:"optional" jsonschema:"ID of the session, its unique beginning or end, or its name (default: the latest)"`
	Method  string `json:"method,omitempty" placeholder:"TEXT" jsonschema:"show only requests, responses and notifications whose method contains TEXT"`
}

// TapView shows a recording as a sequence of messages.
var TapView = Op[TapViewInput, struct{}]{
	Name: "tap view",
	Doc: "Show a recorded session as a sequence of messages\n\n" +
		"One line per message: time, direction, method or outcome, duration of a request, and size. Lines of the server's stderr\n" +
		"and violations of JSON-RPC are shown between them. A session that is still running is followed until it ends.",
	Example: "mcptest tap view",
	Run: func(ctx context.Context, w *Workbench, in *TapViewInput) (struct{}, error) {
		return struct{}{}, w.tapView(ctx, in)
	},
	Text: func(io.Writer, struct{}) error { return nil },
}

// TapSession finds a recording by what the user typed.
func (w *Workbench) TapSession(typed string) (*tap.Session, error) {
	s, err := tap.Find(TapDir(w.System), typed)
	if err != nil {
		return nil, &UsageError{Message: err.Error(), Hint: "run: {mcptest tap list}"}
	}
	return s, nil
}

func (w *Workbench) tapView(ctx context.Context, in *TapViewInput) error {
	s, err := w.TapSession(in.Session)
	if err != nil {
		return err
	}
	v := &tapView{out: newText(w.Out), method: in.Method, requests: map[int]tapRequest{}}
	v.out.line(fmt.Sprintf("%s  %s", s.ID, report.Visible(serverOf(s))))
	v.out.line("client: " + report.Visible(clientOf(s)))
	if err := tap.Frames(ctx, TapDir(w.System), s, true, v.frame); err != nil {
		return err
	}
	if now, err := w.TapSession(s.ID); err == nil {
		s = now
	}
	v.out.line(outcomeOf(s))
	return v.out.err
}

// A tapView writes frames as lines.
type tapView struct {
	out      *text
	method   string
	requests map[int]tapRequest // by their number
}

// A tapRequest is a request that was shown.
type tapRequest struct {
	what string
	at   time.Time
}

// frame writes one frame.
func (v *tapView) frame(f wire.Frame) error {
	at := f.Time.Local().Format("15:04:05.000")
	if wire.IsStderr(f) {
		if v.method == "" {
			v.out.line(fmt.Sprintf("%s │ %s", at, report.Visible(string(f.Body))))
		}
		return v.out.err
	}
	m := mcp.Read(f)
	what := v.describe(&m)
	if !strings.Contains(what, v.method) {
		return nil
	}
	arrow := "→"
	if f.From == wire.Server {
		arrow = "←"
	}
	line := fmt.Sprintf("%s %s %d %s", at, arrow, f.Seq, report.Visible(what))
	if f.Status != 0 {
		line += fmt.Sprintf(", HTTP %d", f.Status)
	}
	v.out.line(line + ", " + size(len(f.Body)))
	for _, odd := range m.Odd {
		if len(f.Body) > 0 || f.Fault != "" {
			v.out.line("    ! " + report.Visible(odd))
		}
	}
	if f.Err != nil {
		v.out.line("    ! " + report.Visible(f.Err.Error()))
	}
	return v.out.err
}

// describe returns what a message is: the method, and for a response its request, outcome and duration.
func (v *tapView) describe(m *mcp.Message) string {
	switch {
	case m.IsRequest():
		what := m.Method
		if name := cmp.Or(textAt(m.Params, "/name"), textAt(m.Params, "/uri")); name != "" {
			what += " " + clip.Text(name, 80)
		}
		v.requests[m.Frame.Seq] = tapRequest{what, m.Frame.Time}
		return what
	case m.IsNotification():
		return m.Method
	case m.IsResponse():
		outcome := "result"
		if m.Error != nil {
			outcome = fmt.Sprintf("error %d: %s", m.Error.Code, clip.Text(m.Error.Message, 100))
		} else if failed, _ := schema.Get(m.Result, "/isError"); string(failed) == "true" {
			outcome = "result with isError"
		}
		r, known := v.requests[m.Frame.Reply]
		if !known {
			return "response without a request: " + outcome
		}
		delete(v.requests, m.Frame.Reply)
		return fmt.Sprintf("%s: %s after %s", r.what, outcome, m.Frame.Time.Sub(r.at).Round(10*time.Microsecond))
	case len(m.Frame.Body) == 0:
		method, _, _ := strings.Cut(m.Frame.Stream, "-") // of an HTTP exchange
		return strings.ToUpper(method) + " without a message"
	}
	return "not a message: " + clip.Text(string(m.Frame.Body), 80)
}
