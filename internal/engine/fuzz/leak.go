package fuzz

import (
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A usageSamples tracks the resources of the server process.
type usageSamples struct {
	seen []usageSample
}

// A usageSample is a sample of the resources that a process and its children hold.
type usageSample struct {
	wire.Usage
	after int // cases
}

// Thresholds for growth: less may be caches that fill.
const (
	growthSamples = 5
	growthFiles   = 60       // more open files, sample after sample
	growthTasks   = 8        // more processes, sample after sample
	growthMemory  = 16 << 20 // bytes, increasing with each sample
	growthPerCall = 64 << 10 // minimum bytes per call
)

// growthDue reports whether a sample is due: often in the beginning, so that a short run takes enough of them.
func growthDue(done int) bool { return done <= 10*healthEvery || done%(5*healthEvery) == 0 }

// look takes a sample and reports whether the process grows without bound: with every sample, and by a lot.
func (g *usageSamples) look(s *mcp.Session, done int) *violation {
	now, ok := s.Usage()
	if !ok {
		return nil
	}
	g.seen = append(g.seen, usageSample{now, done})
	if len(g.seen) < growthSamples {
		return nil
	}
	last := g.seen[len(g.seen)-growthSamples:]
	files, memory, tasks := true, true, true
	for i := 1; i < len(last); i++ {
		tasks = tasks && last[i].Processes > last[i-1].Processes
		files = files && last[i].Handles > last[i-1].Handles
		memory = memory && last[i].Memory > last[i-1].Memory
	}
	first, end := last[0], last[len(last)-1]
	if !tasks {
		end.Processes = first.Processes
	}
	if !files {
		end.Handles = first.Handles
	}
	if !memory {
		end.Memory = first.Memory
	}
	return grown(first.Usage, end.Usage, end.after-first.after)
}

// grown reports whether calls leaked more than caches that fill would explain.
func grown(before, after wire.Usage, calls int) *violation {
	files, memory := after.Handles-before.Handles, after.Memory-before.Memory
	switch tasks := after.Processes - before.Processes; {
	case tasks >= growthTasks:
		return leaked("processes", "processes", tasks, calls)
	case files >= growthFiles:
		return leaked("files", "open files", files, calls)
	case memory >= growthMemory && memory/int64(max(calls, 1)) >= growthPerCall:
		return &violation{cause: "memory", message: fmt.Sprintf("%d MiB more memory after %d calls", memory>>20, calls)}
	}
	return nil
}

// leaked is the violation of calls after which the process holds more of something.
func leaked(cause, what string, more, calls int) *violation {
	return &violation{cause: cause, message: fmt.Sprintf("%d more %s after %d calls", more, what, calls)}
}
