package wire

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// UsageOf looks at a process and its descendants; with under, at its descendants alone. It reports false where nothing can
// be seen.
func UsageOf(pid int, under bool) (Usage, bool) {
	all, ok := descendants(pid)
	if !ok {
		all = below(processTable(), pid)
	}
	if under {
		delete(all, pid)
	}
	var sum Usage
	seen := false
	for pid := range all {
		memory, err := residentBytes(pid)
		if err != nil {
			continue // it has ended
		}
		files, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
		sum.Memory, sum.Handles, seen = sum.Memory+memory, sum.Handles+len(files), true
	}
	return sum, seen
}

// maxDescendants bounds how many processes are followed one by one; of more, the whole table is read.
const maxDescendants = 100

// descendants is a process and all below it, by the lists of children that its threads have. That costs a small part of
// reading the table of all processes; a kernel may be built without these lists, though.
func descendants(pid int) (set map[int]bool, ok bool) {
	set = map[int]bool{pid: true}
	for todo := []int{pid}; len(todo) > 0; todo = todo[1:] {
		threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", todo[0]))
		if err != nil {
			continue // it has ended
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
		return 0, fmt.Errorf("statm of process %d is %q", pid, text)
	}
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	return pages * int64(os.Getpagesize()), err
}
