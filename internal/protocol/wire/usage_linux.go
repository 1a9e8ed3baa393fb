package wire

import (
	"bytes"
	"fmt"
	"os"
	"strconv"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire/supervise"
)

// UsageOf measures a process and its descendants; with under, only its descendants. It returns false if nothing
// can be measured.
func UsageOf(pid int, under bool) (Usage, bool) {
	all, ok := descendants(pid)
	if !ok {
		all = supervise.Below(supervise.ProcessTable(), pid)
	}
	if under {
		delete(all, pid)
	}
	var sum Usage
	seen := false
	for pid := range all {
		memory, err := residentBytes(pid)
		if err != nil {
			continue // it has exited
		}
		files, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
		sum.Memory, sum.Handles, seen = sum.Memory+memory, sum.Handles+len(files), true
		if memory > 0 { // a process that has exited has none
			sum.Processes++
		}
	}
	return sum, seen
}

// maxDescendants is the maximum number of processes that are followed individually; beyond it, the whole
// process table is read.
const maxDescendants = 100

// descendants returns a process and all of its descendants, from the lists of children of its threads. That is
// much cheaper than reading the table of all processes, but a kernel may be built without these lists.
func descendants(pid int) (set map[int]bool, ok bool) {
	set = map[int]bool{pid: true}
	for todo := []int{pid}; len(todo) > 0; todo = todo[1:] {
		threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", todo[0]))
		if err != nil {
			continue // it has exited
		}
		for _, t := range threads {
			list, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", todo[0], t.Name()))
			if err != nil {
				if _, gone := os.Stat(fmt.Sprintf("/proc/%d/task/%s", todo[0], t.Name())); gone == nil {
					return nil, false
				}
				continue
			}
			for _, word := range bytes.Fields(list) {
				if child, err := strconv.Atoi(string(word)); err == nil && !set[child] {
					set[child] = true
					todo = append(todo, child)
				}
			}
		}
		if len(set) > maxDescendants {
			return nil, false
		}
	}
	return set, true
}

func residentBytes(pid int) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, err
	}
	fields := bytes.Fields(text)
	if len(fields) < 2 {
		return 0, fmt.Errorf("unexpected statm of process %d: %q", pid, text)
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	return pages * int64(os.Getpagesize()), err
}
