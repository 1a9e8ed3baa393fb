package recordings

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/tap"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A TapViewInput is the input of TapView.
type TapViewInput struct {
	Session string `json:"session,omitempty" cli:"optional" jsonschema:"ID of the session, its unique beginning or end, or its name (default: the latest)"`
	Method  string `json:"method,omitempty" placeholder:"TEXT" jsonschema:"show only requests, responses and notifications whose method contains TEXT"`
	Page    bool   `json:"page,omitempty" surface:"cli" jsonschema:"show it in the browser: serve the page of mcptest inspect, with the session in its Wire view"`
}

// TapView shows a recording as a sequence of messages.
var TapView = workbench.Op[TapViewInput, struct{}]{
	Name: "tap view",
	Doc: "Show a recorded session as a sequence of messages\n\n" +
		"On a terminal, messages are listed as they pass, with their pairs, durations, sizes and verdicts; press ? for " +
		"the\n" +
		"keys: filter, search, details, and copying a request as a command or a test.\n\n" +
		"Otherwise one line per message is printed: time, direction, method or outcome, duration of a request, and size. " +
		"Lines\n" +
		"of the server's stderr and violations of JSON-RPC are shown between them. A session that is still running is\n" +
		"followed until it ends. For a session with injected faults, the last lines report what the client did after " +
		"each\n" +
		"of them.",
	Example: "mcptest tap view",
	Run: func(ctx context.Context, w *workbench.Workbench, in *TapViewInput) (struct{}, error) {
		return struct{}{}, viewTap(ctx, w, in)
	},
	Text: func(io.Writer, struct{}) error { return nil },
}

// TapSession finds a recording by what the user typed.
func TapSession(w *workbench.Workbench, typed string) (*tap.Session, error) {
	s, err := tap.Find(TapDir(w.System), typed)
	if err != nil {
		return nil, &workbench.UsageError{Message: err.Error(), Hint: "run: {mcptest tap list}"}
	}
	return s, nil
}

func viewTap(ctx context.Context, w *workbench.Workbench, in *TapViewInput) error {
	s, err := TapSession(w, in.Session)
	if err != nil {
		return err
	}
	if in.Page {
		return w.Page(ctx, TapDir(w.System), s)
	}
	if w.Screen != nil && w.Screen.Recording != nil {
		return w.Screen.Recording(ctx, TapDir(w.System), s, in.Method)
	}
	v := &tapView{out: workbench.NewText(w.Out), method: in.Method}
	v.out.Line(fmt.Sprintf("%s  %s", s.ID, report.Line(ServerName(s))))
	v.out.Line("client: " + report.Line(ClientName(s)))
	if err := tap.Frames(ctx, TapDir(w.System), s, true, v.frame); err != nil {
		return err
	}
	if now, err := TapSession(w, s.ID); err == nil {
		s = now
	}
	v.out.Line(report.Line(Outcome(s)))
	faults, err := tap.FaultReport(ctx, TapDir(w.System), s)
	if err != nil {
		return err
	}
	if faults != nil {
		for _, line := range tap.FaultLines(faults, s.Faults.Seed) {
			v.out.Line(report.Visible(line))
		}
	}
	return v.out.Err
}

// A tapView writes frames as lines.
type tapView struct {
	out      *workbench.Text
	method   string
	sequence Sequence
}

// frame writes one frame.
func (v *tapView) frame(f wire.Frame) error {
	at := f.Time.Local().Format("15:04:05.000")
	if wire.IsStderr(f) {
		if v.method == "" {
			v.out.Line(fmt.Sprintf("%s │ %s", at, report.Visible(string(f.Body))))
		}
		return v.out.Err
	}
	m := mcp.Read(f)
	what := v.sequence.Describe(&m)
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
	v.out.Line(line + ", " + workbench.Size(len(f.Body)))
	for _, odd := range m.Odd {
		if len(f.Body) > 0 || f.Fault != "" {
			v.out.Line("    ! " + report.Visible(odd))
		}
	}
	if f.Err != nil {
		v.out.Line("    ! " + report.Visible(f.Err.Error()))
	}
	return v.out.Err
}
