package fuzz

import "fmt"

// A growth watches what the process of a server holds.
type growth struct {
	seen []holding
}

// A holding is what a process and its children hold at one moment.
type holding struct {
	after  int // cases
	files  int
	memory int64 // bytes
}

// Bounds of what is growth: less may be caches that fill.
const (
	growthSamples = 5
	growthFiles   = 60       // more open files, one after another sample
	growthMemory  = 96 << 20 // bytes, and more with each sample
	growthPerCall = 64 << 10 // bytes a call at least
)

// look takes a sample and says whether the process grows without an end: with every sample, and by a lot.
func (g *growth) look(pid, done int) *breach {
	now, ok := held(pid)
	if !ok {
		return nil
	}
	now.after = done
	g.seen = append(g.seen, now)
	if len(g.seen) < growthSamples {
		return nil
	}
	last := g.seen[len(g.seen)-growthSamples:]
	files, memory := true, true
	for i := 1; i < len(last); i++ {
		files = files && last[i].files > last[i-1].files
		memory = memory && last[i].memory > last[i-1].memory
	}
	first, end := last[0], last[len(last)-1]
	if !files {
		end.files = first.files
	}
	if !memory {
		end.memory = first.memory
	}
	return grown(first, end, end.after-first.after)
}

// grown says whether calls left more behind than caches that fill.
func grown(before, after holding, calls int) *breach {
	files, memory := after.files-before.files, after.memory-before.memory
	switch {
	case files >= growthFiles:
		return &breach{cause: "files", message: fmt.Sprintf("%d more open files after %d calls", files, calls)}
	case memory >= growthMemory && memory/int64(max(calls, 1)) >= growthPerCall:
		return &breach{cause: "memory", message: fmt.Sprintf("%d MiB more memory after %d calls", memory>>20, calls)}
	}
	return nil
}
