package load

import (
	"context"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// What counts as growth: the minimum of each quarter of the run is at least that of the quarter before, the last is
// above the third, and above the first by this much. A server that warms up levels off; one that leaks does not.
const (
	grownMemory  = 32 << 20
	grownHandles = 16
	minSamples   = 8
	minInterval  = 100 * time.Millisecond
	maxInterval  = time.Second
)

// A Growth is how the resources of the server process changed under load.
type Growth struct {
	Samples       int   `json:"samples"`
	MemoryBefore  int64 `json:"memory_before"` // bytes, the lowest of the first quarter
	MemoryAfter   int64 `json:"memory_after"`  // of the last
	HandlesBefore int   `json:"handles_before"`
	HandlesAfter  int   `json:"handles_after"`
	MemoryGrows   bool  `json:"memory_grows"`
	HandlesGrow   bool  `json:"handles_grow"`
}

// MemoryMB is the growth of memory in megabytes.
func (g *Growth) MemoryMB() float64 { return float64(g.MemoryAfter-g.MemoryBefore) / (1 << 20) }

// Handles is the growth of open files and sockets.
func (g *Growth) Handles() int { return g.HandlesAfter - g.HandlesBefore }

// growthOf evaluates the samples of a run; nil if there are none.
func growthOf(samples []wire.Usage) *Growth {
	if len(samples) == 0 {
		return nil
	}
	var memory, handles [4]int64
	for quarter := range 4 {
		part := samples[quarter*len(samples)/4 : max((quarter+1)*len(samples)/4, quarter*len(samples)/4+1)]
		memory[quarter], handles[quarter] = part[0].Memory, int64(part[0].Handles)
		for _, u := range part {
			memory[quarter], handles[quarter] = min(memory[quarter], u.Memory), min(handles[quarter], int64(u.Handles))
		}
	}
	enough := len(samples) >= minSamples
	return &Growth{Samples: len(samples), MemoryBefore: memory[0], MemoryAfter: memory[3],
		HandlesBefore: int(handles[0]), HandlesAfter: int(handles[3]),
		MemoryGrows: enough && grows(memory, max(grownMemory, memory[0]/4)),
		HandlesGrow: enough && grows(handles, grownHandles)}
}

func grows(quarters [4]int64, by int64) bool {
	return quarters[0] <= quarters[1] && quarters[1] <= quarters[2] && quarters[2] < quarters[3] &&
		quarters[3]-quarters[0] >= by
}

// sample samples the process periodically until the context ends.
func sample(ctx context.Context, look func() (wire.Usage, bool), p Pace) []wire.Usage {
	var samples []wire.Usage
	ticker := time.NewTicker(min(max(p.Duration/40, minInterval), maxInterval))
	defer ticker.Stop()
	for {
		u, ok := look()
		if !ok {
			return samples
		}
		samples = append(samples, u)
		select {
		case <-ctx.Done():
			return samples
		case <-ticker.C:
		}
	}
}
