package zoo

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// noneLeft fails the test if a process that has the mark in its environment is still there after a while.
func noneLeft(t *testing.T, mark string) {
	t.Helper()
	var left []string
	for deadline := time.Now().Add(2 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if left = marked(mark); len(left) == 0 {
			return
		}
	}
	t.Errorf("processes %v are left", left)
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
