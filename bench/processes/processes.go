// Package processes measures other processes, for benchmarks.
package processes

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Family lists a process and everything that it started, as far as /proc shows it.
func Family(pid int) []int {
	all := []int{pid}
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		text, _ := os.ReadFile(list) // a thread that has ended has none
		for _, child := range strings.Fields(string(text)) {
			if id, err := strconv.Atoi(child); err == nil {
				all = append(all, Family(id)...)
			}
		}
	}
	return all
}
