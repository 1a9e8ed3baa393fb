package conform

import (
	"flag"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write goldens and docs anew")

// mutantVariable names the mutant that a process is to be.
const mutantVariable = "MCPTEST_MUTANT"

// helperName is the mutant that is no server: a process that stays.
const helperName = "helper"

func TestMain(m *testing.M) {
	if name, ok := os.LookupEnv(mutantVariable); ok {
		os.Exit(play(name))
	}
	flag.Parse()
	_ = flag.Set("test.parallel", "16") // mutants mostly wait
	debug.SetGCPercent(800)             // and leave much garbage
	os.Exit(m.Run())
}

// runChecks becomes the server with the name: a check and a mutant of it, or nothing for the clean one.
func play(name string) int {
	if name == helperName {
		time.Sleep(time.Minute)
		return 0
	}
	if name == lockedName {
		return playLocked()
	}
	id, which, _ := strings.Cut(name, "/")
	for _, m := range mutants()[id] {
		if m.name == which {
			return m.server().Main()
		}
	}
	return mutant{}.server().Main()
}
