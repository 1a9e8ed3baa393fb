package hosttools

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/hostrun"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A HostsRecordInput is the input of HostsRecord.
type HostsRecordInput struct {
	Data string `json:"data" cli:"arg" placeholder:"DIR" jsonschema:"directory with the tools, in batches/batch-NN.json"`

	Run     []string      `json:"run,omitempty" placeholder:"LIST" empty:"no" jsonschema:"the hosts, such as codex,claude-code (default: all); NAME@VERSION selects a version for --fetch"`
	Out     string        `json:"out,omitempty" placeholder:"DIR" empty:"no" jsonschema:"directory for the recordings (default: the directory with the tools)"`
	Tools   int           `json:"tools,omitempty" placeholder:"N" jsonschema:"only the first N tools of each batch (default: all)"`
	RunFrom string        `json:"run_from,omitempty" placeholder:"DIR" empty:"no" jsonschema:"directory of the hosts, or one with their npm packages (default: PATH)"`
	Fetch   bool          `json:"fetch,omitempty" jsonschema:"download hosts that are not installed with npm, into a temporary directory"`
	Within  time.Duration `json:"within,omitempty" placeholder:"D" jsonschema:"time limit for each start of a host (default 3m)"`
}

// A HostRecording is a written file.
type HostRecording struct {
	Host    string `json:"host"`
	Version string `json:"version"`
	File    string `json:"file"`
	Tools   int    `json:"tools"`
}

// HostRecordings are the written files.
type HostRecordings struct {
	Recordings []HostRecording `json:"recordings"`
}

// HostsRecord records what hosts pass to their models.
var HostsRecord = workbench.Op[HostsRecordInput, *HostRecordings]{
	Name: "hosts record",
	Doc: "Record what hosts pass to their models for a set of tools\n\n" +
		"Starts each host with a server that lists the tools, and a scripted model. Writes HOST-VERSION.jsonl with one " +
		"line per\n" +
		"tool: server, tool, given (as the model got it, or null), outcome, why, batch and index.",
	Help: "batches/batch-NN.json is an array of objects with server (a name) and tool (a definition). The outcome is \"as " +
		"sent\",\n\"changed\", \"dropped\" (other tools of the server arrived) or \"server lost\" (alone on its server, " +
		"nothing arrived).\nThe hosts are started as with hosts --run.",
	Example: "mcptest hosts record data/hosts --run codex,gemini-cli --out recorded",
	Run:     runHostsRecord,
	Text: func(out io.Writer, r *HostRecordings) error {
		t := workbench.NewText(out)
		for _, one := range r.Recordings {
			t.Line(fmt.Sprintf("%s: %s of %s %s", report.Line(one.File), workbench.Plural(one.Tools, "tool"), one.Host,
				report.Line(one.Version)))
		}
		return t.Err
	},
}

func runHostsRecord(ctx context.Context, w *workbench.Workbench, in *HostsRecordInput) (*HostRecordings, error) {
	if err := w.MayUseFiles(); err != nil {
		return nil, err
	}
	if in.Tools < 0 || in.Within < 0 {
		return nil, &workbench.UsageError{Message: "--tools and --within must not be negative"}
	}
	if in.Within == 0 {
		in.Within = 3 * time.Minute
	}
	batches, err := hostrun.ReadBatches(in.Data)
	if err != nil {
		return nil, &workbench.UsageError{Message: err.Error(),
			Hint: hint.Text("write arrays of {\"server\": NAME, \"tool\": DEFINITION} to " +
				filepath.Join(in.Data, "batches", "batch-00.json"))}
	}
	if len(in.Run) == 0 {
		in.Run = []string{"all"}
	}
	programs, err := findPrograms(ctx, w, fetchOptions{in.Run, in.RunFrom, in.Fetch})
	if err != nil {
		return nil, err
	}
	defer programs.remove()
	out := &HostRecordings{Recordings: []HostRecording{}}
	for _, p := range programs.list {
		one, err := recordHost(ctx, w, in, batches, &hostrun.Recorder{Host: p.host, Program: p.path, Self: programs.self,
			Supervisor: w.Supervisor, Limit: in.Within,
			Progress: func(text string) { w.Event(workbench.Event{Line: text}) }})
		if err != nil {
			return nil, err
		}
		out.Recordings = append(out.Recordings, *one)
	}
	return out, ctx.Err()
}

// recordHost records one host and writes its file when all of it is recorded.
func recordHost(ctx context.Context, w *workbench.Workbench, in *HostsRecordInput, batches [][]hostrun.RecordTool,
	r *hostrun.Recorder) (*HostRecording, error) {
	var text bytes.Buffer
	for number, batch := range batches {
		if in.Tools > 0 {
			batch = batch[:min(in.Tools, len(batch))]
		}
		if err := r.Record(ctx, &text, number, batch); err != nil {
			return nil, err
		}
	}
	folder := in.Out
	if folder == "" {
		folder = in.Data
	}
	one := &HostRecording{Host: r.Host.ID, Version: r.Version, Tools: bytes.Count(text.Bytes(), []byte("\n")),
		File: filepath.Join(folder, hostrun.RecordFile(r.Host.ID, fileVersion(r.Version)))}
	if err := w.WriteFile(one.File, text.Bytes()); err != nil {
		return nil, &workbench.UsageError{Message: "--out: " + err.Error()}
	}
	return one, nil
}

// fileVersion returns a version as part of a file name: a host prints what it likes.
func fileVersion(version string) string {
	safe := []byte(version)
	for i, c := range safe {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '.' || c == '-' || c == '+') {
			safe[i] = '_'
		}
	}
	return string(safe[:min(len(safe), 40)])
}
