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

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// maxFile is the size from which a suite, a report or what else mcptest keeps in files is not read.
const maxFile = 64 << 20

// suiteSuffix is how the files are named that a directory is searched for.
const suiteSuffix = ".mcptest.yaml"

// findSuites lists the files that are named: files, directories that hold suites, globs. Without any, those that are usual.
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
		return nil, &UsageError{Message: "there is neither mcptest.yaml nor a file tests/**/*" + suiteSuffix + " here", Hint: "name a suite, or write a first one: mcptest init TARGET"}
	}
	return all, nil
}

// relative is a path as a person in the directory would write it.
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
			err = &UsageError{Message: fmt.Sprintf("%s holds neither mcptest.yaml nor a file *%s", name, suiteSuffix), Hint: "name the file itself"}
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
	return nil, &UsageError{Message: fmt.Sprintf("there is no suite %s", name), Hint: "mcptest run without a name runs those that are usual; mcptest init TARGET writes a first one"}
}

func suitesIn(dir string) ([]string, error) {
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path != dir {
			return nil // it went away while we looked
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
		return nil, &UsageError{Message: err.Error(), Hint: "name the files themselves, or a folder that can be read"}
	}
	return all, nil
}

// isSuite reports whether a file of a directory is a suite, by its name.
func isSuite(name string) bool {
	return name == defaultSuite || name == "mcptest.yml" || strings.HasSuffix(name, suiteSuffix) || strings.HasSuffix(name, ".mcptest.yml")
}

// readFile reads a suite, a report or what else mcptest keeps in files, within bounds.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s is a directory", path)
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%s has %d bytes; at most %d are read", path, info.Size(), maxFile)
	}
	return os.ReadFile(path)
}

// writeFile writes a file as a whole: a reader sees the old one or the new one. A link, a pipe or a device such as
// /dev/stdout is written to, never replaced.
func writeFile(path string, data []byte) error {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(path, data, 0o644)
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), ".mcptest-*")
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, cause(err))
	}
	_, err = temporary.Write(data)
	err = errors.Join(err, temporary.Chmod(0o644), temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		_ = os.Remove(temporary.Name())
	}
	return err
}

// cause leaves out the name of a file that nobody has heard of.
func cause(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	return err
}

// readTimings reads how long tests took from the JSON report of an earlier run.
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

// readReport reads a report that was written as JSON.
func (w *Workbench) readReport(path string) (*finding.Report, error) {
	data, err := w.readFile(path)
	if err != nil {
		return nil, &UsageError{Message: err.Error(), Hint: "want a file that --reporter json=FILE or --format json wrote"}
	}
	r := &finding.Report{}
	if err := json.Unmarshal(data, r); err != nil || r.Engine == "" {
		return nil, &UsageError{Message: fmt.Sprintf("%s is no report of mcptest", path), Hint: "want a file that --reporter json=FILE or --format json wrote"}
	}
	return r, nil
}
