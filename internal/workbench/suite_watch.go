package workbench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
)

// Bounds of watching.
const (
	watchSettle  = 200 * time.Millisecond // an editor writes a file in several steps
	maxWatchDirs = 2000
)

// watchSuites runs the suites, and again whenever a file below the working directory changes, until it is stopped.
func watchSuites(ctx context.Context, w *Workbench, in *RunInput, reporters []reporter) (*RunResult, error) {
	for _, r := range reporters {
		if r.format != "text" && r.file == "" {
			return nil, &UsageError{Message: "--watch shows text for people, and --reporter " + r.format + " is for a program", Hint: "write that one to a file: --reporter " + r.format + "=FILE"}
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
	for {
		if err := watchOnce(ctx, w, in, reporters); err != nil {
			return nil, err
		}
		w.event(Event{Notice: "waiting for a file to change; Ctrl+C ends it"})
		if err := awaitChange(ctx, watcher); err != nil {
			return nil, err
		}
	}
}

// watchOnce runs the suites and shows the result. What is wrong with a file is shown, and can be mended.
func watchOnce(ctx context.Context, w *Workbench, in *RunInput, reporters []reporter) error {
	result, err := runOnce(ctx, w, in, reporters)
	var usage *UsageError
	switch {
	case errors.As(err, &usage):
		_, err = fmt.Fprintln(w.Err, usage.Message)
		return err
	case err != nil:
		return err
	}
	return result.write(w.Out)
}

func watchTree(watcher *fsnotify.Watcher, dir string) error {
	watched := 0
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || !d.IsDir():
			return nil // what cannot be read is not watched
		case path != dir && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case watched >= maxWatchDirs:
			return filepath.SkipAll
		}
		watched++
		return watcher.Add(path)
	})
}

// awaitChange waits for a change that is not our own, and until nothing has changed for a moment.
func awaitChange(ctx context.Context, watcher *fsnotify.Watcher) error {
	var settled <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case event := <-watcher.Events:
			if event.Op != fsnotify.Chmod && !strings.HasSuffix(event.Name, suite.SnapshotPath("")) && !strings.HasPrefix(filepath.Base(event.Name), ".mcptest-") {
				settled = time.After(watchSettle)
			}
		case err := <-watcher.Errors:
			return fmt.Errorf("watch files: %w", err)
		case <-settled:
			return nil
		}
	}
}
