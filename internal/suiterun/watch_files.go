package suiterun

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fsnotify/fsnotify"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/match"
)

// maxWatchDirs is the maximum number of watched directories.
const maxWatchDirs = 2000

// A watchedTrees adds directories to a watcher.
type watchedTrees struct {
	watcher *fsnotify.Watcher
	count   int
}

// add watches a directory and its subdirectories. Hidden ones and node_modules are skipped; what is not a directory is
// ignored.
func (t *watchedTrees) add(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || !d.IsDir():
			return nil // unreadable directories are not watched
		case path != dir && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		}
		return t.one(path)
	})
}

// one watches one directory, unless there are too many.
func (t *watchedTrees) one(dir string) error {
	if t.count >= maxWatchDirs || slices.Contains(t.watcher.WatchList(), dir) {
		return nil
	}
	t.count++
	return t.watcher.Add(dir)
}

// addServers watches what the servers of the suites consist of, wherever it is: their working directories, and the
// directories of files that their commands name.
func (t *watchedTrees) addServers(dir string, plan *suite.Plan) {
	for _, s := range plan.Suites {
		for _, server := range s.Servers {
			base := dir
			if server.Cwd != "" {
				if base = server.Cwd; !filepath.IsAbs(base) {
					base = filepath.Join(filepath.Dir(server.File), base)
				}
				if full, err := filepath.Abs(base); err == nil {
					_ = t.add(full) // best effort: a server also works unwatched
				}
			}
			for _, word := range slices.Concat(server.Command, server.Args) {
				if file := serverFile(base, word); file != "" {
					_ = t.one(filepath.Dir(file)) // best effort
				}
			}
		}
	}
}

// serverFile is the file that a word of a command names; empty if it names none.
func serverFile(base, word string) string {
	if !filepath.IsAbs(word) {
		word = filepath.Join(base, word)
	}
	full, err := filepath.Abs(word)
	if err != nil {
		return ""
	}
	if info, err := os.Stat(full); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return full
}

// affected returns the suites to run for changed files: those that changed, or whose snapshots did. Any other file can
// affect all suites, which nil stands for, and so can a suite that another one imports.
func affected(plan *suite.Plan, changed map[string]bool) []string {
	if slices.ContainsFunc(plan.Suites, func(s *suite.Suite) bool { return len(s.Imports) > 0 }) {
		return nil
	}
	var some []string
	for file := range changed {
		owner := slices.IndexFunc(plan.Suites, func(s *suite.Suite) bool {
			full, err := filepath.Abs(s.Position.File)
			return err == nil && (file == full || file == match.SnapshotPath(full) || file == match.ImageDir(full) ||
				filepath.Dir(file) == match.ImageDir(full))
		})
		if owner < 0 {
			return nil
		}
		some = append(some, plan.Suites[owner].Position.File)
	}
	slices.Sort(some)
	return slices.Compact(some)
}
