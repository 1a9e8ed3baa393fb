package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// What a person waits for, from the start of mcptest to its end.
const (
	startUp     = 50 * time.Millisecond // the first command that people try
	lintCatalog = 30 * time.Millisecond // schema-lint of a catalog of twenty tools
)

func TestStartUp(t *testing.T) {
	checkRuns(t, buildMcptest(t), startUp, "tools", "list", "demo")
}

// initBytes is how much all packages may allocate together before main. A metaschema that is compiled there takes 0.2 MB
// or more. Go first collects garbage somewhere between 2.8 and 4 MB, which would take longer than the rest of the start;
// what a command allocates comes on top.
const initBytes = 1_050_000

// initAllocation matches what GODEBUG=inittrace=1 reports for a package.
var initAllocation = regexp.MustCompile(`(?m)^init (\S+) @.* (\d+) bytes, \d+ allocs$`)

// TestInitAllocatesLittle adds up what packages allocate before main.
func TestInitAllocatesLittle(t *testing.T) {
	cmd := exec.Command(buildMcptest(t), "version")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "GODEBUG=inittrace=1"}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "mcptest") {
		t.Fatalf("version: %v\n%s", err, out)
	}
	total := 0
	for _, m := range initAllocation.FindAllStringSubmatch(string(out), -1) {
		n, _ := strconv.Atoi(m[2])
		total += n
	}
	if t.Logf("all packages allocate %d bytes before main (bar %d)", total, initBytes); total == 0 || total > initBytes {
		t.Errorf("all packages allocate %d bytes before main, want at most %d\n%s", total, initBytes, out)
	}
}

func TestLintOfACatalog(t *testing.T) {
	var tools []string
	for i := range 20 {
		tools = append(tools, fmt.Sprintf(`{"name":"book_%d","description":"Books table %d for a number of guests at `+
			`a time of day.","inputSchema":`+
			`{"type":"object","properties":{"guests":{"type":"integer","minimum":1,"maximum":20,"description":"How `+
			`many."},`+
			`"at":{"type":"string","format":"date-time","maxLength":40,"description":"When."},`+
			`"note":{"type":["string","null"],"maxLength":200,"description":"Wishes."}},`+
			`"required":["guests","at","note"],"additionalProperties":false}}`, i, i))
	}
	catalog := filepath.Join(t.TempDir(), "tools.json")
	if err := os.WriteFile(catalog, []byte("["+strings.Join(tools, ",")+"]"), 0o600); err != nil {
		t.Fatal(err)
	}
	checkRuns(t, buildMcptest(t), lintCatalog, "schema-lint", catalog)
}

// checkRuns runs a command several times. The best run counts, because the others tell what else the machine did.
func checkRuns(t *testing.T, binary string, most time.Duration, args ...string) {
	t.Helper()
	var times []time.Duration
	for range 20 {
		cmd := exec.Command(binary, args...)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}
		start := time.Now()
		out, err := cmd.CombinedOutput()
		times = append(times, time.Since(start))
		if err != nil || strings.TrimSpace(string(out)) == "" {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	slices.Sort(times)
	t.Logf("mcptest %s: best %v, median %v of %d runs", args[0], times[0], times[len(times)/2], len(times))
	checkTime(t, "the best run of mcptest "+args[0], times[0], most)
}
