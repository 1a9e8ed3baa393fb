package conform

import (
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// systemLoad is how many processes ran or waited for a processor during the last minute, on average; 0 if the system does not
// report it.
func systemLoad() float64 {
	raw, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	return parseLoad(string(raw))
}

func parseLoad(text string) float64 {
	first, _, _ := strings.Cut(text, " ")
	load, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return 0
	}
	return load
}

// busyLoad is how many processes for each processor make a machine too busy to measure how fast a server starts.
const busyLoad = 2

// isStarved reports whether a server on this machine had to share it with so many processes at its start that the time which
// that took says nothing about the server.
func isStarved(target wire.Target, load float64) bool {
	return target.Serve == nil && near(target) && load > float64(busyLoad*runtime.NumCPU())
}
