package engines

import (
	"archive/zip"
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/mcptest-dev/mcptest/internal/engine/ready"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// fix shows what can be fixed without guessing as a diff, and writes it if requested.
func (in *ReadyInput) fix(w *workbench.Workbench, opts ready.Options, path string) (*ReadyResult, error) {
	if _, packed := opts.Folder.(*zip.Reader); opts.Folder == nil || packed {
		return nil, &workbench.UsageError{Message: "--fix requires a folder", Hint: "pass the folder with the files"}
	}
	fixed, err := ready.Fix(opts)
	if err != nil {
		return nil, in.nothing(err)
	}
	for _, f := range fixed {
		w.Event(workbench.Event{Notice: f.File + ": " + strings.Join(f.Notes, "; ")})
	}
	if len(fixed) == 0 {
		w.Event(workbench.Event{Notice: "nothing can be fixed without guessing"})
	}
	for _, f := range fixed {
		if !in.Write {
			break
		}
		file := filepath.Join(folderOf(path), filepath.FromSlash(f.File))
		if err := workbench.ReplaceFile(file, []byte(f.After)); err != nil {
			return nil, &workbench.UsageError{Message: err.Error(), Hint: "use {--fix} alone to print the changes"}
		}
		w.Event(workbench.Event{Notice: "written to " + file})
	}
	return &ReadyResult{Fixed: fixed, fixes: true}, nil
}

// diffs returns the changes as a patch.
func diffs(fixed []ready.Fixed) string {
	var out strings.Builder
	for _, f := range fixed {
		text := string(diff.Diff("a/"+f.File, []byte(f.Before), "b/"+f.File, []byte(f.After)))
		_, text, _ = strings.Cut(text, "\n") // without the line that names both files
		out.WriteString(text)
	}
	return out.String()
}

// fixedJSON returns the changed files.
func fixedJSON(fixed []ready.Fixed) []byte {
	raw, err := json.MarshalIndent(map[string]any{"fixed": append([]ready.Fixed{}, fixed...)}, "", "  ")
	if err != nil {
		return nil
	}
	return raw
}
