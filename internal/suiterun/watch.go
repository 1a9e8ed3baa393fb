package suiterun

import (
	"context"
	"errors"
	"fmt"
	"github.com/fsnotify/fsnotify"

	"github.com/mcptest-dev/mcptest/internal/hint"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// watchSuites runs the suites, and again whenever a file below the working directory or of a server changes, until it
// is stopped. If only suites and their snapshots change, it runs those.
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
	trees := &watchedTrees{watcher: watcher}
	if err := trees.add(w.System.Dir); err != nil {
		return nil, err
	}
	reports := reportFiles(reporters)
	seen := &changes{watcher: watcher, reports: reports, added: func(dir string) { _ = trees.add(dir) },
		own: func(path string) bool { return reports(path) || snapshotFiles(path) }}
	for {
		next := *in
		if plan, _, err := Plan(w, in); err == nil { // else the run reports it
			trees.addServers(w.System.Dir, plan)
			if some := affected(plan, seen.now); len(some) > 0 {
				next.Paths = some
			}
		}
		if err := watchOnce(ctx, w, &next, reporters); err != nil {
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
