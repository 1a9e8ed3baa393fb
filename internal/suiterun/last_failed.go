package suiterun

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/files"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A failedTests is the stored list of the tests that failed when they last ran, for --last-failed. It is part of the
// user's state, not of the directory of the suites, and has only the IDs of tests.
type failedTests struct {
	Failed []string `json:"failed"`
}

// failedFile is the file for the suites of the working directory.
func failedFile(w *workbench.Workbench) string {
	sum := sha256.Sum256([]byte(w.System.Dir))
	return filepath.Join(workbench.StateDir(w.System), "last-failed", hex.EncodeToString(sum[:8])+".json")
}

// keepsFailed reports whether a run stores which tests failed: not one of an assistant.
func (in *RunInput) keepsFailed(w *workbench.Workbench) bool {
	return in.Suite == "" && in.Session() == nil && w.Grants.Files
}

// readFailed returns the tests that failed when they last ran. What cannot be read has none.
func readFailed(w *workbench.Workbench) map[string]bool {
	all := map[string]bool{}
	var stored failedTests
	if data, err := os.ReadFile(failedFile(w)); err == nil && json.Unmarshal(data, &stored) == nil {
		for _, id := range stored.Failed {
			all[id] = true
		}
	}
	return all
}

// storeFailed updates the stored list with the results of a run. Tests that did not run keep their entries.
func storeFailed(w *workbench.Workbench, r *finding.Report) error {
	before := readFailed(w)
	now := maps.Clone(before)
	for _, result := range r.Results {
		switch result.Status() {
		case finding.Failed, finding.Broken:
			now[result.Name] = true
		case finding.Passed:
			delete(now, result.Name)
		}
	}
	if maps.Equal(before, now) {
		return nil
	}
	path := failedFile(w)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	data, err := json.Marshal(failedTests{Failed: slices.Sorted(maps.Keys(now))})
	if err != nil {
		return err
	}
	return files.Replace(path, data, 0o600)
}

// failed returns the tests that --last-failed selects; nil selects all.
func (in *RunInput) failed(w *workbench.Workbench, plan *suite.Plan) map[string]bool {
	if !in.LastFailed {
		return nil
	}
	all := readFailed(w)
	if !slices.ContainsFunc(plan.Tests(), func(t *suite.Test) bool { return t.Is(all) }) {
		w.Event(workbench.Event{Notice: "no test of these suites failed when it last ran here; running all"})
		return nil
	}
	return all
}
