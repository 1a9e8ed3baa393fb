package suiterun

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/report"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A reporter is an output format and its destination.
type reporter struct{ format, file string }

// reporterNames are aliases of formats.
var reporterNames = map[string]string{"pretty": "text", "md": "markdown"}

func parseReporters(texts []string) ([]reporter, error) {
	var all []reporter
	for _, text := range workbench.Commas(texts) {
		format, file, _ := strings.Cut(text, "=")
		if proper, ok := reporterNames[format]; ok {
			format = proper
		}
		if !slices.Contains(report.Formats, format) {
			return nil, &workbench.UsageError{Message: fmt.Sprintf("unknown reporter %q", format),
				Hint: hint.Text("use one of " + strings.Join(report.Formats, ", "))}
		}
		if err := writable(file); err != nil {
			return nil, &workbench.UsageError{Message: fmt.Sprintf("--reporter %s: %v", text, err),
				Hint: "create the directory first, or choose another file"}
		}
		if other := slices.IndexFunc(all, func(r reporter) bool { return r.file == file }); other >= 0 {
			where := map[bool]string{true: "stdout", false: file}[file == ""]
			return nil, &workbench.UsageError{Message: fmt.Sprintf("reporters %s and %s write to the same file: %s",
				all[other].format, format, where), Hint: hint.Text("write each to a separate file: {--reporter} " +
				format + "=FILE")}
		}
		all = append(all, reporter{format, file})
	}
	return all, nil
}

// writable reports before a run that a report could not be written.
func writable(file string) error {
	if file == "" {
		return nil
	}
	dir := filepath.Dir(file)
	switch info, err := os.Stat(dir); {
	case err != nil:
		return fmt.Errorf("directory %s: %w", dir, workbench.Cause(err))
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", dir)
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a directory", file)
	}
	return nil
}

// report writes the reports that go to files. The one without a file is shown.
func (r *RunResult) report(w *workbench.Workbench, reporters []reporter) error {
	for _, to := range reporters {
		if to.file == "" {
			r.Format = to.format
			continue
		}
		var out bytes.Buffer
		if err := report.Write(&out, to.format, r.Report, &r.Opts); err != nil {
			return err
		}
		if err := w.WriteFile(to.file, out.Bytes()); err != nil {
			return &workbench.UsageError{Message: fmt.Sprintf("--reporter %s: %v", to.format, err)}
		}
	}
	return nil
}
