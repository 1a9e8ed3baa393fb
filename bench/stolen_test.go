package bench

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// maxStolen is the share of the processor time that a host may give to other machines before times say more about it
// than about the code.
const maxStolen = .1

// atStart is the processor time at the start of the benchmarks.
var atStart = readProcessorTime("/proc/stat")

// A processorTime is how long the processors of a machine had work, and how long the host did not let them do it.
type processorTime struct{ busy, stolen float64 }

// stolen is the share of the time with work since the start of the benchmarks that the host has given to other
// machines. It is
// 0 where the kernel does not report it.
func stolen() float64 {
	now := readProcessorTime("/proc/stat")
	return now.stolenSince(atStart)
}

func (p processorTime) stolenSince(start processorTime) float64 {
	busy := p.busy - start.busy
	if busy <= 0 {
		return 0
	}
	return (p.stolen - start.stolen) / busy
}

func readProcessorTime(file string) (p processorTime) {
	data, _ := os.ReadFile(file) // it exists on Linux only
	line, _, _ := strings.Cut(string(data), "\n")
	for i, field := range strings.Fields(line) {
		n, err := strconv.ParseFloat(field, 64)
		switch {
		// idle, waiting for input, and time of guests, which is counted already
		case err != nil || i == 4 || i == 5 || i > 8:
		case i == 8:
			p.stolen = n
			p.busy += n
		default:
			p.busy += n
		}
	}
	return p
}

func TestStolen(t *testing.T) {
	write := func(line string) processorTime {
		file := t.TempDir() + "/stat"
		if err := os.WriteFile(file, []byte(line+"\ncpu0 9 9 9\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return readProcessorTime(file)
	}
	before, after := write("cpu  100 0 50 900 10 5 5 40 0 0"), write("cpu  160 0 70 1900 90 5 5 60 0 0")
	if got := after.stolenSince(before); got != .2 {
		t.Errorf("got %v, expected 20 of 100 ticks", got)
	}
	if got := write("").stolenSince(before); got != 0 {
		t.Errorf("got %v without the file, expected 0", got)
	}
}
