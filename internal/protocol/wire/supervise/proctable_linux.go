package supervise

import (
	"bytes"
	"os"
	"strconv"
)

// Relatives are the parent and the group of a process.
type Relatives struct{ Parent, Group int }

// ProcessTable reads the relations of every process.
func ProcessTable() map[int]Relatives {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1)
	table := make(map[int]Relatives, len(names))
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue // not a process
		}
		stat, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil {
			continue
		}
		// pid (name) state ppid pgrp …; the name may contain anything, including parentheses
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 3 {
			continue
		}
		var r Relatives
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
