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
	calls := last[len(last)-1].after - last[0].after
	moreFiles, moreMemory := last[len(last)-1].files-last[0].files, last[len(last)-1].memory-last[0].memory
	switch {
	case files && moreFiles >= growthFiles:
		return &breach{cause: "files", message: fmt.Sprintf("%d more open files after %d calls", moreFiles, calls)}
	case memory && moreMemory >= growthMemory && moreMemory/int64(max(calls, 1)) >= growthPerCall:
		return &breach{cause: "memory", message: fmt.Sprintf("%d MiB more memory after %d calls", moreMemory>>20, calls)}
	}
	return nil
}
