package suiterun

import (
	"path/filepath"
	"testing"

	"github.com/fsnotify/fsnotify"
)

// A file that the tests write themselves brings one more run, not runs without end; reports and snapshots bring none.
func TestChangesDuringARun(t *testing.T) {
	dir := t.TempDir()
	events := make(chan fsnotify.Event, 10)
	reports := reportFiles([]reporter{{"json", filepath.Join(dir, "run.json")}})
	c := &changes{watcher: &fsnotify.Watcher{Events: events},
		own: func(path string) bool { return reports(path) || snapshotFiles(path) }}
	for _, step := range []struct {
		name string
		want bool
	}{
		{"run.json", false},
		{"mcptest.yaml.snapshots.json", false},
		{"mcptest.yaml.snapshots/tools-a.png", false},
		{".mcptest-123", false},
		{"server.js", true},
		{"server.js", false},
		{"", false},
		{"server.js", true},
	} {
		if step.name != "" {
			events <- fsnotify.Event{Name: filepath.Join(dir, step.name), Op: fsnotify.Write}
		}
		if got := c.during(); got != step.want {
			t.Errorf("another run for %q: %v, want %v", step.name, got, step.want)
		}
	}
}
