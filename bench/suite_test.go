package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// What a team waits for: a thousand tests of a stdio server, and what each costs beyond its call.
const (
	suiteTests    = 1000
	suiteTime     = 3 * time.Second
	suiteOverhead = time.Millisecond
)

// TestSuiteOfAThousand runs a suite of a thousand calls against an echo server on stdio, from start to exit. The best
// of three runs counts. What a test costs beyond its call is told by the difference between the run and a run of one
// test, which pays for the same start, shared among the others.
func TestSuiteOfAThousand(t *testing.T) {
	binary := buildMcptest(t)
	many, one := writeSuite(t, binary, suiteTests), writeSuite(t, binary, 1)
	bestMany, bestOne := time.Hour, time.Hour
	for range 3 {
		bestMany = min(bestMany, timeSuite(t, binary, many, suiteTests))
		bestOne = min(bestOne, timeSuite(t, binary, one, 1))
	}
	each := (bestMany - bestOne) / (suiteTests - 1)
	t.Logf("%d tests in %v, %v each with its call; one alone %v", suiteTests, bestMany, each, bestOne)
	checkTime(t, fmt.Sprintf("a run of %d tests", suiteTests), bestMany, suiteTime)
	checkTime(t, "a test with its call", each, suiteOverhead)
}

func writeSuite(t *testing.T, binary string, tests int) string {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprintf(&b, "servers: {s: {command: [%q, demo]}}\ntools:\n", binary)
	for i := range tests {
		fmt.Fprintf(&b, "  - {name: t%d, tool: echo, args: {message: m%d}, expect: [{target: "+
			"\"result.content[0].text\", exact: m%d}, {is_error: false}]}\n", i, i, i)
	}
	file := filepath.Join(t.TempDir(), "suite.yaml")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func timeSuite(t *testing.T, binary, file string, tests int) time.Duration {
	t.Helper()
	cmd := exec.Command(binary, "run", file, "--json")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}
	start := time.Now()
	out, err := cmd.Output()
	elapsed := time.Since(start)
	var report struct{ Metrics map[string]int }
	if err != nil || json.Unmarshal(out, &report) != nil || report.Metrics["passed"] != tests {
		t.Fatalf("mcptest run: %v, %d of %d passed\n%.2000s", err, report.Metrics["passed"], tests, out)
	}
	return elapsed
}
