package suiterun

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
)

// watchSettle is how long no file must change: an editor writes a file in several steps.
const watchSettle = 200 * time.Millisecond

// A changes decides which file changes trigger another run.
type changes struct {
	watcher *fsnotify.Watcher
	own     func(path string) bool
	before  map[string]bool // what changed during the last run
}

// during reports whether a file changed during a run. A file that changes during two runs in a row is written
// by the tests themselves: it would cause an endless loop.
func (c *changes) during() bool {
	now, fresh := map[string]bool{}, false
	for quiet := time.After(watchSettle); ; {
		select {
		case event := <-c.watcher.Events:
			if c.counts(event) {
				now[event.Name] = true
				fresh = fresh || !c.before[event.Name]
			}
		case <-quiet:
			c.before = now
			return fresh
		}
	}
}

// await waits for a change, and until no file has changed for a moment.
func (c *changes) await(ctx context.Context) error {
	var settled <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case event := <-c.watcher.Events:
			if c.counts(event) {
				settled = time.After(watchSettle)
			}
		case err := <-c.watcher.Errors:
			return fmt.Errorf("watch files: %w", err)
		case <-settled:
			return nil
		}
	}
}

func (c *changes) counts(event fsnotify.Event) bool {
	return event.Op != fsnotify.Chmod && !c.own(event.Name)
}

// ownFiles recognizes files that a run itself writes: reports, snapshots, and their temporary files.
func ownFiles(reporters []reporter) func(path string) bool {
	reports := map[string]bool{}
	for _, r := range reporters {
		if path, err := filepath.Abs(r.file); err == nil && r.file != "" {
			reports[path] = true
		}
	}
	return func(path string) bool {
		full, err := filepath.Abs(path)
		return err == nil && reports[full] || strings.HasSuffix(path, suite.SnapshotPath("")) ||
			strings.HasSuffix(filepath.Dir(path), suite.ImageDir("")) || strings.HasSuffix(path, suite.ImageDir("")) ||
			strings.HasPrefix(filepath.Base(path), ".mcptest-")
	}
}
