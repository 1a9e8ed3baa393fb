package supervise

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// Relatives are the parent and the group of a process.
type Relatives struct{ Parent, Group int }

// ProcessTable reads the relations of every process.
func ProcessTable() map[int]Relatives {
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	table := make(map[int]Relatives, len(files))
	for _, file := range files {
		stat, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		// pid (name) state ppid pgrp …; the name may contain anything, including parentheses
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 3 {
			continue
		}
		var r Relatives
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		r.Parent, _ = strconv.Atoi(string(fields[1]))
		r.Group, _ = strconv.Atoi(string(fields[2]))
		table[pid] = r
	}
	return table
}

// Below returns the given processes and all of their descendants.
func Below(table map[int]Relatives, pids ...int) map[int]bool {
	set := map[int]bool{}
	for _, pid := range pids {
		set[pid] = true
	}
	for grew := true; grew; {
		grew = false
		for pid, r := range table {
			if set[r.Parent] && !set[pid] {
				set[pid], grew = true, true
			}
		}
	}
	return set
}
