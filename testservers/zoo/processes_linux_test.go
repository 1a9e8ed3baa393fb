package zoo

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// noneLeft fails the test if a process that has the mark in its environment is still there after a while.
func noneLeft(t *testing.T, mark string) {
	t.Helper()
	if !until(func() bool { return len(marked(mark)) == 0 }) {
		t.Errorf("processes %v are left", marked(mark))
	}
}

// marked lists the processes that have the mark in their environment. A zombie has no environment, but it has been
// waited for, or its parent would be in the list.
func marked(mark string) []string {
	var pids []string
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		if env, err := os.ReadFile(file); err == nil && bytes.Contains(env, []byte(mark)) {
			pids = append(pids, filepath.Base(filepath.Dir(file)))
		}
	}
	return pids
}
