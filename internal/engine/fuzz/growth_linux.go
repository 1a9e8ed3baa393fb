package fuzz

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// held adds up what a process and its descendants hold; the first of them may be a supervisor.
func held(pid int) (holding, bool) {
	if pid <= 0 {
		return holding{}, false
	}
	var h holding
	todo, some := []int{pid}, false
	for len(todo) > 0 && len(todo) < 100 {
		next := todo[0]
		todo = append(todo[1:], children(next)...)
		files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", next))
		statm, err2 := os.ReadFile(fmt.Sprintf("/proc/%d/statm", next))
		fields := bytes.Fields(statm)
		if err != nil || err2 != nil || len(fields) < 2 {
			continue
		}
		pages, _ := strconv.ParseInt(string(fields[1]), 10, 64)
		h.files += len(files)
		h.memory += pages * int64(os.Getpagesize())
		some = true
	}
	return h, some
}

func children(pid int) []int {
	var all []int
	tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, t := range tasks {
		data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, t.Name()))
		for _, word := range bytes.Fields(data) {
			if child, err := strconv.Atoi(string(word)); err == nil {
				all = append(all, child)
			}
		}
	}
	return all
}
