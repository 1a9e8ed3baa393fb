package engines

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/ready"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A ReadyInput is the input of Ready.
type ReadyInput struct {
	workbench.Connection
	For      []string `json:"for,omitempty" placeholder:"LIST" jsonschema:"where to publish: registry, mcpb, claude or chatgpt, comma-separated (default: all that TARGET allows to check)"`
	Severity string   `json:"severity,omitempty" placeholder:"LEVEL" jsonschema:"minimum severity to show: info, warning, error or critical"`
	Format   string   `json:"format,omitempty" surface:"cli" placeholder:"FORMAT" jsonschema:"text, json, junit, sarif, tap, markdown, html, github or gitlab"`
}

// Ready checks what a server needs to be published.
var Ready = workbench.Op[ReadyInput, *ReadyResult]{
	Uses: workbench.Frames,
	Name: "ready", Section: workbench.Test, Order: 75, FileTarget: true,
	Doc: "Check what a server needs to be published\n\n" +
		"Checks server.json for the MCP registry, a bundle (MCPB) with its manifest and files, and the tools for the\n" +
		"directories of Claude and ChatGPT. Says for each place what it would reject, and how to change it.",
	Help: "TARGET is a folder with server.json or manifest.json, one of these files, a .mcpb file, or a server. A folder " +
		"is\nonly read: nothing in it is started. Exits with 1 on any error.",
	Example: "mcptest ready ." + "\n" +
		"mcptest ready --for claude,chatgpt demo",
	Run:  runReady,
	Text: writeReady,
}

// A ReadyResult is the report of a run, with the state of each place.
type ReadyResult struct {
	workbench.ReportResult
	Places []ready.Place
}

// RawJSON returns the report, with the state of each place in its field places.
func (r *ReadyResult) RawJSON() []byte {
	raw := r.ReportResult.RawJSON()
	if r.Format != "" {
		return raw
	}
	places, err := json.MarshalIndent(r.Places, "  ", "  ")
	if err != nil {
		return raw
	}
	return workbench.WithMember(raw, "places", places)
}

func runReady(ctx context.Context, w *workbench.Workbench, in *ReadyInput) (*ReadyResult, error) {
	shown := &workbench.RuleOptions{Severity: in.Severity, Format: in.Format}
	if err := shown.Check(); err != nil {
		return nil, err
	}
	opts := ready.Options{Places: workbench.Commas(in.For), Target: Shown(&in.Connection), Version: w.Version}
	for _, place := range opts.Places {
		if !slices.Contains(ready.Places(), place) {
			return nil, &workbench.UsageError{Message: fmt.Sprintf("unknown place %q for --for", place),
				Hint: hint.Text(DidYouMean(place, ready.Places()) + "use " + strings.Join(ready.Places(), ", "))}
		}
	}
	closeFolder, err := in.subject(ctx, w, &opts)
	if err != nil {
		return nil, err
	}
	defer closeFolder()
	out, err := ready.Run(opts)
	if errors.Is(err, ready.ErrNothing) {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("%s: %v", in.Target, err),
			Hint: "pass the folder that contains one of them, or a server"}
	}
	if err != nil {
		return nil, err
	}
	judged, err := shown.Report(w, out.Report, report.Options{Severity: finding.Severity(in.Severity)})
	if err != nil {
		return nil, err
	}
	judged.Fails = slices.ContainsFunc(out.Places, func(p ready.Place) bool { return p.Skipped == "" && !p.Ready })
	return &ReadyResult{ReportResult: *judged, Places: out.Places}, nil
}

// subject opens the folder or the bundle, or lists the tools of the server.
func (in *ReadyInput) subject(ctx context.Context, w *workbench.Workbench, opts *ready.Options) (func(), error) {
	path, isFile := publishedFile(w, in.Target)
	if isFile {
		if err := w.MayUseFiles(); err != nil {
			return nil, err
		}
		if flags := ofServer(&in.Connection); len(flags) > 0 {
			w.Event(workbench.Event{Notice: fmt.Sprintf("%s is not a server: ignored %s", path, strings.Join(flags, ", "))})
		}
		folder, done, err := openFolder(path)
		if err != nil {
			return nil, &workbench.UsageError{Message: err.Error(),
				Hint: "pass a folder with server.json or manifest.json, a .mcpb file, or a server"}
		}
		opts.Folder, opts.Packed = folder, strings.HasSuffix(path, ".mcpb")
		return done, nil
	}
	s, err := w.Open(ctx, &in.Connection)
	if err != nil {
		return nil, err
	}
	list, err := s.List(ctx, "tools/list")
	if err != nil {
		return nil, err
	}
	if list.Refused != nil {
		return nil, fmt.Errorf("the server rejected tools/list: %w", list.Refused)
	}
	opts.Tools = []json.RawMessage{}
	for _, item := range list.Items {
		opts.Tools = append(opts.Tools, item.Raw)
	}
	return func() {}, nil
}

// publishedFile distinguishes a folder, server.json, manifest.json and a bundle from a server.
func publishedFile(w *workbench.Workbench, target string) (string, bool) {
	if _, builtin := w.Builtins[target]; builtin || !w.Grants.Files || target == "" || strings.Contains(target, "://") {
		return "", false
	}
	_, err := os.Stat(target)
	return target, err == nil || strings.HasSuffix(target, ".json") || strings.HasSuffix(target, ".mcpb") ||
		strings.ContainsAny(target, `/\`)
}

// openFolder opens a folder, the folder of a file, or a bundle. Links do not lead out of it.
func openFolder(path string) (fs.FS, func(), error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if strings.HasSuffix(path, ".mcpb") && !info.IsDir() {
		bundle, err := zip.OpenReader(path)
		if err != nil {
			return nil, nil, fmt.Errorf("%s is not a bundle: %w", path, err)
		}
		return bundle, func() { _ = bundle.Close() }, nil
	}
	if !info.IsDir() {
		path = filepath.Dir(path)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, nil, err
	}
	return root.FS(), func() { _ = root.Close() }, nil
}

// writeReady shows the findings, and then each place.
func writeReady(out io.Writer, r *ReadyResult) error {
	if err := workbench.WriteReport(out, &r.ReportResult); err != nil || r.Format != "" && r.Format != "text" {
		return err
	}
	t := workbench.NewText(out)
	t.Line("")
	for _, p := range r.Places {
		state := "ready"
		switch {
		case p.Skipped != "":
			state = "not checked: " + p.Skipped
		case !p.Ready:
			state = "not ready: " + workbench.Plural(p.Errors, "error")
		}
		t.Line(t.Bold("%-8s", p.Name) + "  " + state)
	}
	return t.Err
}
