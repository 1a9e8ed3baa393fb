// Package growth recognizes servers that keep memory, files or processes of each call.
package growth

import (
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// Samples track the resources of the server process.
type Samples struct {
	seen []sample
}

// A sample is the resources that a process and its children hold.
type sample struct {
	wire.Usage
	after int // cases
}

// A Leak is what calls leave behind.
type Leak struct {
	Cause   string // memory, files or processes
	Message string
}

// Thresholds for growth, of MinFiles also for repeated calls: less may be caches that fill.
const (
	minSamples = 5
	MinFiles   = 60       // more open files, sample after sample
	minTasks   = 8        // more processes, sample after sample
	minMemory  = 16 << 20 // bytes, increasing with each sample
	minPerCall = 64 << 10 // minimum bytes per call
)

// Due reports whether a sample is due: often in the beginning, so that a short run takes enough of them.
func Due(done int) bool { return done <= 10*often || done%(5*often) == 0 }

// often is after how many cases samples are due in the beginning.
const often = 50

// Look takes a sample and reports whether the process grows without bound: with every sample, and by a lot.
func (g *Samples) Look(s *mcp.Session, done int) *Leak {
	now, ok := s.Usage()
	if !ok {
		return nil
	}
	g.seen = append(g.seen, sample{now, done})
	if len(g.seen) < minSamples {
		return nil
	}
	last := g.seen[len(g.seen)-minSamples:]
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
	return Between(first.Usage, end.Usage, end.after-first.after)
}

// Between reports whether calls leaked more than caches that fill would explain.
func Between(before, after wire.Usage, calls int) *Leak {
	files, memory := after.Handles-before.Handles, after.Memory-before.Memory
	switch tasks := after.Processes - before.Processes; {
	case tasks >= minTasks:
		return Of("processes", "processes", tasks, calls)
	case files >= MinFiles:
		return Of("files", "open files", files, calls)
	case memory >= minMemory && memory/int64(max(calls, 1)) >= minPerCall:
		return &Leak{"memory", fmt.Sprintf("%d MiB more memory after %d calls", memory>>20, calls)}
	}
	return nil
}

// Of returns the leak of calls after which the process holds more of something.
func Of(cause, what string, more, calls int) *Leak {
	return &Leak{cause, fmt.Sprintf("%d more %s after %d calls", more, what, calls)}
}
