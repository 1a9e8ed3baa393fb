package workbench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/files"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

// maxFile is the maximum size of a suite, a report or another mcptest file.
const maxFile = 64 << 20

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
		return nil, &UsageError{Message: "no suite found: neither mcptest.yaml nor tests/**/*" + suiteSuffix + " exists", Hint: "pass a suite file; to create one, run: {mcptest init TARGET}"}
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
			err = &UsageError{Message: fmt.Sprintf("%s contains neither mcptest.yaml nor *%s files", name, suiteSuffix), Hint: "pass the file itself"}
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
	return nil, &UsageError{Message: fmt.Sprintf("suite not found: %s", name), Hint: "run {mcptest run} without a name to run the default suites; to create one, run: {mcptest init TARGET}"}
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
		return nil, &UsageError{Message: err.Error(), Hint: "pass the files themselves, or a readable directory"}
	}
	return all, nil
}

// isSuite reports whether a file in a directory is a suite, by its name.
func isSuite(name string) bool {
	return name == defaultSuite || name == "mcptest.yml" || strings.HasSuffix(name, suiteSuffix) || strings.HasSuffix(name, ".mcptest.yml")
}

// readFile reads a suite, a report or another mcptest file, up to the size limit.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s is a directory", path)
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%s: %d bytes, expected at most %d", path, info.Size(), maxFile)
	}
	return os.ReadFile(path)
}

// writeFile writes a file atomically: a reader sees the old one or the new one. A link, a pipe or a device such
// as /dev/stdout is written to, never replaced. A link to a file in another folder is rejected: a repository could
// contain one that leads to a file of the user.
func writeFile(path string, data []byte) error {
	var err error
	switch info, missing := os.Lstat(path); {
	case missing != nil || info.Mode().IsRegular():
		err = files.Replace(path, data, 0o644)
	case info.Mode()&fs.ModeSymlink != 0 && !isDevice(path):
		err = writeLinked(path, data)
	default:
		return os.WriteFile(path, data, 0o644)
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, cause(err))
	}
	return nil
}

// isDevice reports whether a path leads to something else than a file, or is in the folder of devices.
func isDevice(path string) bool {
	if full, err := filepath.Abs(path); err == nil && strings.HasPrefix(full, "/dev/") {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular()
}

// writeLinked writes to the file that a link leads to, if that is in the folder of the link.
func writeLinked(path string, data []byte) error {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.WriteFile(filepath.Base(path), data, 0o644); err != nil {
		to, _ := os.Readlink(path)
		return fmt.Errorf("it is a link to %s: %w", to, cause(err))
	}
	return nil
}

// cause removes the path from an error whose message names it already.
func cause(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	return err
}

// readTimings reads test durations from the JSON report of an earlier run.
func (w *Workbench) readTimings(path string) (map[string]time.Duration, error) {
	if path == "" {
		return nil, nil
	}
	r, err := w.readReport(path)
	if err != nil {
		return nil, err
	}
	all := map[string]time.Duration{}
	for _, result := range r.Results {
		all[result.Name] = result.Elapsed
	}
	return all, nil
}

// readReport reads a JSON report.
func (w *Workbench) readReport(path string) (*finding.Report, error) {
	data, err := w.readFile(path)
	if err != nil {
		return nil, &UsageError{Message: err.Error(), Hint: "use a file written by {--reporter} json=FILE or {--format} json"}
	}
	r := &finding.Report{}
	if err := json.Unmarshal(data, r); err != nil || r.Engine == "" {
		return nil, &UsageError{Message: fmt.Sprintf("not an mcptest JSON report: %s", path), Hint: "use a file written by {--reporter} json=FILE or {--format} json"}
	}
	return r, nil
}
