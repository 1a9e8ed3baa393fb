package workbench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/report"
)

// A reporter is one way to show a run, and where to.
type reporter struct{ format, file string }

// reporterNames are other names that formats go by.
var reporterNames = map[string]string{"pretty": "text", "md": "markdown"}

func parseReporters(texts []string) ([]reporter, error) {
	var all []reporter
	for _, text := range commas(texts) {
		format, file, _ := strings.Cut(text, "=")
		if proper, ok := reporterNames[format]; ok {
			format = proper
		}
		if !slices.Contains(report.Formats, format) {
			return nil, &UsageError{Message: fmt.Sprintf("unknown reporter %q", format), Hint: "one of " + strings.Join(report.Formats, ", ")}
		}
		if err := writable(file); err != nil {
			return nil, &UsageError{Message: fmt.Sprintf("--reporter %s: %v", text, err), Hint: "make the directory first, or name another file"}
		}
		if other := slices.IndexFunc(all, func(r reporter) bool { return r.file == file }); other >= 0 {
			where := map[bool]string{true: "standard output", false: file}[file == ""]
			return nil, &UsageError{Message: fmt.Sprintf("the reporters %s and %s would both write to %s", all[other].format, format, where), Hint: "give each a place of its own: --reporter " + format + "=FILE"}
		}
		all = append(all, reporter{format, file})
	}
	return all, nil
}

// writable tells before a run that a report will have no place to go to.
func writable(file string) error {
	if file == "" {
		return nil
	}
	dir := filepath.Dir(file)
	switch info, err := os.Stat(dir); {
	case err != nil:
		return fmt.Errorf("directory %s: %w", dir, cause(err))
	case !info.IsDir():
		return fmt.Errorf("%s is no directory", dir)
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a directory", file)
	}
	return nil
}

// report writes the reports that go to files. The one that names no file is what is shown.
func (r *RunResult) report(w *Workbench, reporters []reporter) error {
	for _, to := range reporters {
		if to.file == "" {
			r.format = to.format
			continue
		}
		var out bytes.Buffer
		if err := report.Write(&out, to.format, r.Report, &r.opts); err != nil {
			return err
		}
		if err := w.writeFile(to.file, out.Bytes()); err != nil {
			return &UsageError{Message: fmt.Sprintf("--reporter %s: %v", to.format, err)}
		}
	}
	return nil
}

// strictJSON decodes and refuses members that are unknown.
func strictJSON(data []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	return dec.Decode(into)
}
