package recordings

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/replay"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/safety"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A ReplayInput is the input of Replay.
type ReplayInput struct {
	Session string `json:"session" cli:"arg" jsonschema:"a recorded session (ID, its unique beginning or end, or its name), or a transcript file"`
	workbench.Connection
	AllowDestructive bool     `json:"allow_destructive,omitempty" jsonschema:"also repeat calls of tools that are not safe"`
	Tool             []string `json:"tool,omitempty" placeholder:"NAME" jsonschema:"also repeat calls of this tool; repeatable"`
}

// A ReplayResult is the outcome of a replay.
type ReplayResult struct {
	*replay.Report
	Recorded string `json:"recorded"` // the session
	Server   string `json:"server"`   // the server that was compared
	Requests int    `json:"requests"` // in the recording

	lost error // why the server stopped responding
}

// Failed reports whether something differs.
func (r *ReplayResult) Failed() bool { return len(r.Differences) > 0 }

// Incomplete reports whether nothing could be compared.
func (r *ReplayResult) Incomplete() bool { return r.Sent == 0 }

// Failure returns why the server stopped responding.
func (r *ReplayResult) Failure() error { return r.lost }

// Advice returns how to repeat the skipped calls.
func (r *ReplayResult) Advice() string {
	if slices.ContainsFunc(r.Skipped, func(s replay.Skip) bool { return strings.HasPrefix(s.Subject, "tools/call") }) {
		return "use --tool NAME or --allow-destructive to repeat skipped calls"
	}
	return ""
}

// Replay sends recorded requests to a server and compares the responses.
var Replay = workbench.Op[ReplayInput, *ReplayResult]{
	Name: "replay", Section: workbench.Test, Order: 85,
	Doc: "Send recorded requests to a server and compare the responses\n\n" +
		"Outcome, structure and values of each response must be those of the recording. IDs, times and the order of\n" +
		"elements may differ. Requests of the server, such as elicitations, get the recorded responses.\n\n" +
		"Calls of tools that are not safe are skipped and listed: the recorded and the current definition must have\n" +
		"readOnlyHint.",
	Help:    "Exit status 1 means that something differs, 4 that nothing could be compared.",
	Example: "mcptest replay session.jsonl demo",
	Uses:    workbench.Frames,
	Omit:    []string{"log_level", "extensions"},
	Run:     runReplay,
	Text:    writeReplay,
}

func runReplay(ctx context.Context, w *workbench.Workbench, in *ReplayInput) (*ReplayResult, error) {
	recorded, err := recordedSession(w, in.Session)
	if err != nil {
		return nil, err
	}
	if err := in.Check(); err != nil {
		return nil, err
	}
	server, err := w.Resolve(&in.Connection)
	if err != nil {
		return nil, err
	}
	server = w.Authorized(ctx, server)
	options := replay.Client(recorded)
	options.Client = mcp.Implementation{Name: "mcptest", Version: w.Version, Title: "mcptest"}
	options.Timeout = in.Timeout
	if in.Protocol != "" || !slices.Contains(spec.IDs(), recorded.Protocol) {
		options.Protocol = in.Protocol
	}
	waiting := w.ShowWaiting(server)
	s, err := mcp.Connect(ctx, server, w.Log, &options)
	waiting()
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.Close() }()
	result := &ReplayResult{Recorded: in.Session, Server: s.Target().String(), Requests: len(recorded.Exchanges)}
	result.Report, err = replay.Run(ctx, s, recorded, replay.Options{
		Permit: safety.Permit{All: in.AllowDestructive, Tools: in.Tool},
		Step: func(done, total int, what string) {
			w.Event(workbench.Event{Step: &workbench.Step{Done: done, Total: total, Text: what}})
		}})
	w.Event(workbench.Event{Over: true})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	result.lost = err
	return result, nil
}

// maxDisplayedValue is the maximum length of a value in the text.
const maxDisplayedValue = 300

func writeReplay(out io.Writer, r *ReplayResult) error {
	t := workbench.NewText(out)
	for _, d := range r.Differences {
		calls := ""
		if d.Calls > 1 {
			calls = fmt.Sprintf(", %d calls", d.Calls)
		}
		t.Line(fmt.Sprintf("%s (frame %d%s): %s %s", report.Line(clip.Text(d.Subject, maxDisplayedValue)), d.Frame, calls,
			d.Kind, report.Line(clip.Text(d.Path, maxDisplayedValue))))
		if d.Old != nil {
			t.Line("  - " + displayValue(d.Old))
		}
		if d.New != nil {
			t.Line("  + " + displayValue(d.New))
		}
	}
	for _, s := range r.Skipped {
		t.Line(fmt.Sprintf("skipped %s (%s): %s", report.Line(clip.Text(s.Subject, maxDisplayedValue)),
			workbench.Plural(s.Calls, "request"), report.Visible(s.Why)))
	}
	count := "no differences"
	if n := len(r.Differences); n > 0 {
		count = workbench.Plural(n, "difference")
	}
	t.Line(fmt.Sprintf("%s replayed on %s: %s", workbench.Plural(r.Sent, "request"), report.Visible(r.Server), count))
	return t.Err
}

// displayValue returns a JSON value for the text: strings without quotes.
func displayValue(raw json.RawMessage) string {
	if text, ok := schema.Text(raw); ok {
		return report.Visible(clip.Text(text, maxDisplayedValue))
	}
	return report.Visible(clip.Text(string(raw), maxDisplayedValue))
}
