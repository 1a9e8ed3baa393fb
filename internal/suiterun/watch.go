package suiterun

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/fsnotify/fsnotify"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// maxWatchDirs is the maximum number of watched directories.
const maxWatchDirs = 2000

// watchSuites runs the suites, and again whenever a file below the working directory changes, until it is
// stopped.
func watchSuites(ctx context.Context, w *workbench.Workbench, in *RunInput, reporters []reporter) (*RunResult, error) {
	for _, r := range reporters {
		if r.format != "text" && r.file == "" {
			return nil, &workbench.UsageError{Message: "--watch prints text, but --reporter " + r.format +
				" is machine-readable",
				Hint: hint.Text("write it to a file: {--reporter} " + r.format + "=FILE")}
		}
	}
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watch files: %w", err)
	}
	defer func() { _ = watcher.Close() }()
	if err := watchTree(watcher, w.System.Dir); err != nil {
		return nil, err
	}
	seen := &changes{watcher: watcher, own: ownFiles(reporters)}
	for {
		if err := watchOnce(ctx, w, in, reporters); err != nil {
			return nil, err
		}
		if seen.during() {
			continue
		}
		if _, err := fmt.Fprintln(w.Err, "watching for changes, press Ctrl+C to stop"); err != nil {
			return nil, err
		}
		if err := seen.await(ctx); err != nil {
			return nil, err
		}
	}
}

// watchOnce runs the suites and shows the result. Errors in a file are shown, so that they can be fixed.
func watchOnce(ctx context.Context, w *workbench.Workbench, in *RunInput, reporters []reporter) error {
	result, err := runOnce(ctx, w, in, reporters)
	w.Event(workbench.Event{Over: true})
	var usage *workbench.UsageError
	switch {
	case errors.As(err, &usage):
		_, err = fmt.Fprintln(w.Err, usage.Message)
		return err
	case err != nil:
		return err
	}
	if err := result.write(w.Out); err != nil {
		return err
	}
	return ctx.Err()
}

func watchTree(watcher *fsnotify.Watcher, dir string) error {
	watched := 0
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || !d.IsDir():
			return nil // unreadable directories are not watched
		case path != dir && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case watched >= maxWatchDirs:
			return filepath.SkipAll
		}
		watched++
		return watcher.Add(path)
	})
}
