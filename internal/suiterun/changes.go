package suiterun

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/mcptest-dev/mcptest/internal/engine/suite/match"
)

// watchSettle is how long no file must change: an editor writes a file in several steps.
const watchSettle = 200 * time.Millisecond

// A changes decides which file changes trigger another run.
type changes struct {
	watcher *fsnotify.Watcher
	added   func(dir string)       // watches a directory, if the path is one
	own     func(path string) bool // files that a run writes
	reports func(path string) bool // those of them that nobody else writes
	before  map[string]bool        // what changed during the last run
	now     map[string]bool        // what the next run is for
}

// during reports whether a file changed during a run. A file that changes during two runs in a row is written
// by the tests themselves: it would cause an endless loop.
func (c *changes) during() bool {
	now, fresh := map[string]bool{}, false
	for quiet := time.After(watchSettle); ; {
		select {
		case event := <-c.watcher.Events:
			if c.counts(event) && !c.own(event.Name) {
				now[event.Name] = true
				fresh = fresh || !c.before[event.Name]
			}
		case <-quiet:
			c.before, c.now = now, now
			return fresh
		}
	}
}

// await waits for a change, and until no file has changed for a moment.
func (c *changes) await(ctx context.Context) error {
	var settled <-chan time.Time
	c.now = map[string]bool{}
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case event := <-c.watcher.Events:
			if c.counts(event) && !c.reports(event.Name) {
				c.now[event.Name] = true
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
	if event.Has(fsnotify.Create) {
		c.added(event.Name)
	}
	return event.Op != fsnotify.Chmod
}

// snapshotFiles recognizes snapshots: a run writes them, and so does who restores them from a repository.
func snapshotFiles(path string) bool {
	return strings.HasSuffix(path, match.SnapshotPath("")) || strings.HasSuffix(path, match.ImageDir("")) ||
		strings.HasSuffix(filepath.Dir(path), match.ImageDir(""))
}

// reportFiles recognizes reports, and temporary files of a run.
func reportFiles(reporters []reporter) func(path string) bool {
	reports := map[string]bool{}
	for _, r := range reporters {
		if path, err := filepath.Abs(r.file); err == nil && r.file != "" {
			reports[path] = true
		}
	}
	return func(path string) bool {
		full, err := filepath.Abs(path)
		return err == nil && reports[full] || strings.HasPrefix(filepath.Base(path), ".mcptest-")
	}
}
