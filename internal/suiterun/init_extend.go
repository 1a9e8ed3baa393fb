package suiterun

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/scaffold"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// An extended is a suite that exists, to which tests are added. A nil one is no suite.
type extended struct {
	text     []byte
	subjects map[string]bool
}

// onceOnly are the tests that init adds only to a new suite: who deletes them does not want them.
var onceOnly = []string{"tool_quality", "coverage"}

// existingSuite reads the suite that is in a file; nil if the file does not exist.
func existingSuite(w *workbench.Workbench, file string) (*extended, error) {
	text, err := w.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &workbench.UsageError{Message: err.Error()}
	}
	plan, problems := suite.Load(suite.Files{Read: w.ReadFile}, func(string) (string, bool) { return "", true }, file)
	if len(problems) > 0 {
		return nil, &workbench.UsageError{Message: fmt.Sprintf("%s is not a valid suite:\n%s", file, problems.Error()),
			Hint: "fix it, use {--out} FILE to write elsewhere, or {--force} to overwrite it"}
	}
	if err := scaffold.Mergeable(file, text); err != nil { // before the server is called
		return nil, &workbench.UsageError{Message: err.Error(), Hint: elsewhere}
	}
	return &extended{text: text, subjects: plan.Subjects()}, nil
}

// elsewhere is what to do if tests cannot be added to a file.
const elsewhere = "use {--out} FILE to write the new tests to another file"

// has reports whether the suite needs no test of a subject.
func (e *extended) has(subject string) bool {
	return e != nil && (e.subjects[subject] || slices.Contains(onceOnly, subject))
}

// with returns the text of the suite with the tests of a scaffold.
func (e *extended) with(w *workbench.Workbench, file string, added *scaffold.Scaffold) ([]byte, error) {
	if e == nil {
		return added.YAML(), nil
	}
	text, err := added.Merge(file, e.text)
	if err != nil {
		return nil, &workbench.UsageError{Message: err.Error(), Hint: elsewhere}
	}
	read := func(path string) ([]byte, error) {
		if path == file {
			return text, nil
		}
		return w.ReadFile(path)
	}
	_, problems := suite.Load(suite.Files{Read: read}, func(string) (string, bool) { return "", true }, file)
	if len(problems) > 0 {
		return nil, &workbench.UsageError{Message: "the new tests are invalid in this file:\n" + problems.Error(),
			Hint: elsewhere}
	}
	return text, nil
}

// qualityNow returns expectations on the quality of the tools that hold now, as YAML; empty if the default ones do.
func qualityNow(ctx context.Context, w *workbench.Workbench, s *mcp.Session) string {
	raw, _, err := qualityBlock(ctx, w, s, nil)
	if err != nil {
		return ""
	}
	var now struct {
		Min       float64 `json:"min_score"`
		Mean      float64 `json:"mean_score"`
		Criticals float64 `json:"critical_count"`
	}
	if json.Unmarshal(raw, &now) != nil || now.Min >= minScore && now.Mean >= meanScore && now.Criticals == 0 {
		return ""
	}
	floor := func(score, usual float64) float64 { return min(math.Floor(score*100)/100, usual) }
	return fmt.Sprintf("    # by default: min_score %v, mean_score %v, no critical findings\n    expect:\n"+
		"      - {target: min_score, schema: {minimum: %v}}\n      - {target: mean_score, schema: {minimum: %v}}\n"+
		"      - {target: critical_count, schema: {maximum: %v}}\n", minScore, meanScore,
		floor(now.Min, minScore), floor(now.Mean, meanScore), now.Criticals)
}
