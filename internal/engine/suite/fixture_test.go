package suite

import (
	"runtime"
	"strings"
	"testing"
)

// TestExitedFixtureIsNoted starts a process that exits: the results of tests say so.
func TestExitedFixtureIsNoted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("left out: the process is a command of Unix")
	}
	a := &activeFixture{name: "helper"}
	if err := a.run(t.Context(), &Fixture{Command: []string{"sh", "-c", "echo no more; exit 3"}}, scope{},
		&hooks{dir: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	defer a.end()
	<-a.process.helper.Done()
	want := "fixture helper has exited: status 3; output: no more"
	if got := strings.Join(runningFixtures{a}.remarks(), "\n"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
