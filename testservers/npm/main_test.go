package npm

import (
	"bytes"
	"crypto/rand"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"
)

// mark stands in the environment of every server that the tests start, so that one that is left behind is found,
// whoever its parent is by then.
var mark = "MCPTEST_MARK=" + rand.Text()

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == tapCommand {
		os.Exit(asTap(os.Args[2], os.Args[3:]))
	}
	if len(os.Args) > 2 && os.Args[1] == changedCommand {
		os.Exit(asChanged(os.Args[2:]))
	}
	if os.Getenv("MCPTEST_NPM") == "off" {
		fmt.Println("left out: MCPTEST_NPM is off, as where the same tests ran before, under the race detector")
		os.Exit(0)
	}
	flag.Parse()
	_ = flag.Set("test.parallel", "8") // the tests wait more than they work
	code := m.Run()
	if binaryDir != "" {
		_ = os.RemoveAll(binaryDir)
	}
	if left := survivors(5 * time.Second); len(left) > 0 {
		fmt.Printf("processes left behind: %v\n", left)
		code = max(code, 1)
	}
	os.Exit(code)
}

var binaryDir string // of mcptest; empty if no test needed it

// mcptestBinary returns the path of mcptest, which is built once.
func mcptestBinary(t *testing.T) string {
	t.Helper()
	path, err := buildMcptest()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var buildMcptest = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "mcptest-npm")
	if err != nil {
		return "", err
	}
	binaryDir = dir
	cmd := exec.Command("go", "build", "-o", filepath.Join(dir, "mcptest"), "./cmd/mcptest")
	cmd.Dir = "../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return filepath.Join(dir, "mcptest"), nil
})

// survivors are the marked processes that are still there when the patience is over. Where there is no /proc there is
// no answer.
func survivors(patience time.Duration) []int {
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		left := marked()
		if len(left) == 0 || time.Now().After(end) {
			return left
		}
	}
}

func marked() []int {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	var pids []int
	for _, file := range files {
		if env, err := os.ReadFile(file); err == nil && bytes.Contains(env, []byte(mark)) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			pids = append(pids, pid)
		}
	}
	return pids
}
