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
	all := below(processTable(), pid)
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
