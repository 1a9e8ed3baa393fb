package engines

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A foundFile contains what is needed to reproduce a defect.
type foundFile struct {
	Rule   string      `json:"rule"`
	Breach string      `json:"breach"`
	Steps  []fuzz.Step `json:"steps"`
}

// prepareOut creates the directory for findings, before anything is sent: a run of minutes must not be lost.
func prepareOut(w *workbench.Workbench, dir string) error {
	if err := w.MayUseFiles(); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return &workbench.UsageError{Message: "--out: cannot create the directory " + workbench.FileProblem(err),
			Hint: "use a directory that you can write to"}
	}
	return nil
}

// writeFound writes, for each defect, a suite that fails until it is fixed, and a replay file.
func writeFound(w *workbench.Workbench, dir string, r *fuzz.Result, in *FuzzInput) ([]string, error) {
	var files []string
	for i, f := range r.Found {
		name := foundName(dir, i, f)
		raw, err := json.MarshalIndent(foundFile{f.Rule.ID, f.Breach, f.Steps}, "", "  ")
		if err != nil {
			return files, err
		}
		if err := w.WriteFile(name+".json", append(raw, '\n')); err != nil {
			return files, &workbench.UsageError{Message: err.Error()}
		}
		if err := w.WriteFile(name+".mcptest.yaml", []byte(in.suiteOf(f))); err != nil {
			return files, &workbench.UsageError{Message: err.Error()}
		}
		files = append(files, name+".json", name+".mcptest.yaml")
	}
	return files, nil
}

func oneLineOf(text string) string { return strings.Join(strings.Fields(text), " ") }

func readSteps(w *workbench.Workbench, path string) ([]fuzz.Step, string, error) {
	data, err := w.ReadFile(path)
	if err != nil {
		return nil, "", &workbench.UsageError{Message: err.Error(), Hint: "use a file written by {mcptest fuzz --out}"}
	}
	var file foundFile
	if err := workbench.StrictJSON(data, &file); err != nil || len(file.Steps) == 0 {
		return nil, "", &workbench.UsageError{Message: fmt.Sprintf("no steps to replay in %s", path),
			Hint: "use a file written by {mcptest fuzz --out}"}
	}
	for i, s := range file.Steps { // the file is indented, the call was not
		var b bytes.Buffer
		if json.Compact(&b, s.Arguments) == nil {
			file.Steps[i].Arguments = b.Bytes()
		}
	}
	return file.Steps, file.Rule, nil
}
