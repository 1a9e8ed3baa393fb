package check

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestMain(m *testing.M) {
	flag.Parse()
	_ = flag.Set("test.parallel", "12") // tests that check servers mostly wait
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "mcptest-check")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program = filepath.Join(dir, "server.exe")
	const pkg = "github.com/mcptest-dev/mcptest/testservers/zoo/program"
	if out, err := exec.Command("go", "build", "-o", program, pkg).CombinedOutput(); err != nil {
		fmt.Printf("go build %s: %v\n%s", pkg, err, out)
		return 1
	}
	return m.Run()
}

// program is the servers that tests start, thousands of times.
var program string

// foreign is a command with that program in place of this test, which takes longer to start and is built with the Go SDK:
// that would be taken for the server's.
func foreign(argv []string) []string { return append([]string{program}, argv[1:]...) }
