package engines

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	Start    bool     `json:"start,omitempty" surface:"cli" jsonschema:"install and start what server.json and manifest.json declare, and compare it with them"`
	Set      []string `json:"set,omitempty" surface:"cli" placeholder:"NAME[=VALUE]" jsonschema:"with --start, the value of a setting, argument or header; without a value, that of the environment variable NAME"`
	Fix      bool     `json:"fix,omitempty" surface:"cli" jsonschema:"print what can be fixed without guessing, as a diff, instead of the findings"`
	Write    bool     `json:"write,omitempty" surface:"cli" jsonschema:"with --fix, edit the files in place"`
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
		"is\nonly read: nothing in it is started without --start. With it, programs of the folder, its packages and their\n" +
		"installation scripts run with your permissions. Exits with 1 on any error.",
	Example: "mcptest ready ." + "\n" +
		"mcptest ready --for claude,chatgpt demo",
	Run:  runReady,
	Text: writeReady,
}

// A ReadyResult is the report of a run, with the state of each place.
type ReadyResult struct {
	workbench.ReportResult
	Places []ready.Place
	Fixed  []ready.Fixed // with --fix, instead of the report
	fixes  bool

	incomplete bool // nothing could be started, or the tools are not known
}

// Incomplete reports whether nothing could be started, although that was requested, or the server requires a sign-in.
func (r *ReadyResult) Incomplete() bool { return r.incomplete }

// RawJSON returns the report, with the state of each place in its field places.
func (r *ReadyResult) RawJSON() []byte {
	if r.fixes {
		return fixedJSON(r.Fixed)
	}
	raw := r.ReportResult.RawJSON()
	if r.Format != "" && r.Format != "json" {
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
	switch {
	case len(in.Set) > 0 && !in.Start:
		return nil, &workbench.UsageError{Message: "--set requires --start", Hint: "add {--start}"}
	case in.Write && !in.Fix:
		return nil, &workbench.UsageError{Message: "--write requires --fix", Hint: "add {--fix}"}
	case in.Fix && (in.Severity != "" || in.Format != ""):
		return nil, &workbench.UsageError{Message: "--fix cannot be combined with --severity or --format",
			Hint: "remove one of them"}
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
	if in.Fix {
		return in.fix(w, opts, in.Target)
	}
	out, err := ready.Run(opts)
	if err != nil {
		return nil, in.nothing(err)
	}
	judged, err := shown.Report(w, out.Report, report.Options{Severity: finding.Severity(in.Severity),
		Verdict: placeTable(out.Places)})
	if err != nil {
		return nil, err
	}
	judged.Fails = slices.ContainsFunc(out.Places, func(p ready.Place) bool { return p.Skipped == "" && !p.Ready })
	unstarted := in.Start && !slices.ContainsFunc(opts.Started, func(s ready.Started) bool { return s.Cannot == "" })
	return &ReadyResult{ReportResult: *judged, Places: out.Places, incomplete: unstarted || opts.NoTools != ""}, nil
}

// nothing adds to the error about a folder without files what to pass instead.
func (in *ReadyInput) nothing(err error) error {
	if !errors.Is(err, ready.ErrNothing) {
		return err
	}
	return &workbench.UsageError{Message: fmt.Sprintf("%s: %v", in.Target, err),
		Hint: "pass the folder that contains one of them, or a server"}
}

// subject opens the folder or the bundle, or lists the tools of the server.
func (in *ReadyInput) subject(ctx context.Context, w *workbench.Workbench, opts *ready.Options) (func(), error) {
	path, isFile := publishedFile(w, in.Target)
	if isFile {
		if err := w.MayUseFiles(); err != nil {
			return nil, err
		}
		if flags := in.ignored(); len(flags) > 0 {
			w.Event(workbench.Event{Notice: fmt.Sprintf("%s is not a server: ignored %s", path, strings.Join(flags, ", "))})
		}
		folder, done, err := openFolder(path)
		if err != nil {
			return nil, &workbench.UsageError{Message: err.Error(),
				Hint: "pass a folder with server.json or manifest.json, a .mcpb file, or a server"}
		}
		opts.Folder, opts.Packed = folder, strings.HasSuffix(path, ".mcpb")
		if in.Start {
			if err := in.start(ctx, w, opts, path); err != nil {
				done()
				return nil, err
			}
		}
		return done, nil
	}
	if in.Start || len(in.Set) > 0 {
		return nil, &workbench.UsageError{Message: "--start and --set require a folder or a bundle, but the target is a server",
			Hint: "remove them: the tools of a server are always checked"}
	}
	return func() {}, in.server(ctx, w, opts)
}

// ignored lists the given flags that have no effect on a folder. A server that is started uses some of them.
func (in *ReadyInput) ignored() []string {
	flags := ofServer(&in.Connection)
	if !in.Start {
		return flags
	}
	return slices.DeleteFunc(flags, func(flag string) bool {
		return slices.Contains([]string{"--env", "--timeout", "--header", "--insecure", "--extensions"}, flag)
	})
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
		return &bundle.Reader, func() { _ = bundle.Close() }, nil
	}
	root, err := os.OpenRoot(folderOf(path))
	if err != nil {
		return nil, nil, err
	}
	return root.FS(), func() { _ = root.Close() }, nil
}

// folderOf returns the folder of a file, or the folder itself.
func folderOf(path string) string {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return filepath.Dir(path)
	}
	return path
}
