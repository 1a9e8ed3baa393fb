package suiterun

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/ops/engines"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// suiteSuffix is the suffix of suite files in directories.
const suiteSuffix = ".mcptest.yaml"

// findSuites expands files, directories and globs to suite files. Without any, it finds the default ones.
func findSuites(dir string, named []string) ([]string, error) {
	if len(named) == 0 {
		return usualSuites(dir)
	}
	var all []string
	for _, name := range named {
		found, err := suitesOf(name)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

func usualSuites(dir string) ([]string, error) {
	var all []string
	for _, name := range []string{defaultSuite, "mcptest.yml"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			all = append(all, relative(dir, filepath.Join(dir, name)))
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "tests")); err == nil && info.IsDir() {
		found, err := suitesIn(relative(dir, filepath.Join(dir, "tests")))
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	if len(all) == 0 {
		return nil, &workbench.UsageError{Message: "no suite found: neither mcptest.yaml nor tests/**/*" + suiteSuffix +
			" exists", Hint: "pass a suite file; to create one, run: {mcptest init TARGET}"}
	}
	return all, nil
}

// relative returns a path relative to the working directory.
func relative(dir, path string) string {
	if here, err := os.Getwd(); err == nil && here == dir {
		if short, err := filepath.Rel(dir, path); err == nil {
			return short
		}
	}
	return path
}

func suitesOf(name string) ([]string, error) {
	info, err := os.Stat(name)
	if err == nil && info.IsDir() {
		found, err := suitesIn(name)
		if err == nil && len(found) == 0 {
			err = &workbench.UsageError{Message: fmt.Sprintf("%s contains neither mcptest.yaml nor *%s files", name,
				suiteSuffix),
				Hint: "pass the file itself"}
		}
		return found, err
	}
	if err == nil {
		return []string{name}, nil
	}
	matches, globErr := filepath.Glob(name)
	if globErr == nil && len(matches) > 0 {
		return matches, nil
	}
	return nil, &workbench.UsageError{Message: fmt.Sprintf("suite not found: %s", name),
		Hint: "run {mcptest run} without a name to run the default suites; to create one, run: {mcptest init TARGET}"}
}

func suitesIn(dir string) ([]string, error) {
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path != dir {
			return nil // it was removed meanwhile
		}
		if err == nil && d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git") {
			return filepath.SkipDir
		}
		if err == nil && !d.IsDir() && isSuite(d.Name()) {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		return nil, &workbench.UsageError{Message: err.Error(),
			Hint: "pass the files themselves, or a readable directory"}
	}
	return all, nil
}

// isSuite reports whether a file in a directory is a suite, by its name.
func isSuite(name string) bool {
	return name == defaultSuite || name == "mcptest.yml" || strings.HasSuffix(name, suiteSuffix) ||
		strings.HasSuffix(name, ".mcptest.yml")
}

// readTimings reads test durations from the JSON report of an earlier run.
func readTimings(w *workbench.Workbench, path string) (map[string]time.Duration, error) {
	if path == "" {
		return nil, nil
	}
	r, err := engines.ReadReport(w, path)
	if err != nil {
		return nil, err
	}
	all := map[string]time.Duration{}
	for _, result := range r.Results {
		all[result.Name] = result.Elapsed
	}
	return all, nil
}
