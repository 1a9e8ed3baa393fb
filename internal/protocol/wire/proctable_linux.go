package wire

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// A relation is the parent and the group of a process.
type relation struct{ parent, group int }

// processTable reads the relations of every process.
func processTable() map[int]relation {
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	table := make(map[int]relation, len(files))
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
		var r relation
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		r.parent, _ = strconv.Atoi(string(fields[1]))
		r.group, _ = strconv.Atoi(string(fields[2]))
		table[pid] = r
	}
	return table
}

// below returns the given processes and all of their descendants.
func below(table map[int]relation, pids ...int) map[int]bool {
	set := map[int]bool{}
	for _, pid := range pids {
		set[pid] = true
	}
	for grew := true; grew; {
		grew = false
		for pid, r := range table {
			if set[r.parent] && !set[pid] {
				set[pid], grew = true, true
			}
		}
	}
	return set
}
