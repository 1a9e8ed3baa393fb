package matrix

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// built are the programs that the tests build.
var built struct{ mcptest, gosdk string }

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	if err := missing(); err != nil {
		fmt.Printf("skipped: %v; run: go run ./testservers/matrix/install\n", err)
		if os.Getenv("MCPTEST_REQUIRE_MATRIX") != "" {
			return 1
		}
		return 0
	}
	dir, err := os.MkdirTemp("", "matrix")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer os.RemoveAll(dir)
	built.mcptest, built.gosdk = filepath.Join(dir, "mcptest"), filepath.Join(dir, "gosdk")
	for output, pkg := range map[string]string{built.mcptest: "../../cmd/mcptest", built.gosdk: "./gosdk"} {
		if out, err := exec.Command("go", "build", "-o", output, pkg).CombinedOutput(); err != nil {
			fmt.Printf("go build %s: %v\n%s", pkg, err, out)
			return 1
		}
	}
	flag.Parse()
	_ = flag.Set("test.parallel", "4") // programs start while others wait
	if done := os.Getenv("MCPTEST_MATRIX_DONE"); done != "" {
		_ = flag.Set("test.skip", done) // these ran before, in a step of their own
	}
	return m.Run()
}

// full reports whether every cell is to be tested.
func full() bool { return os.Getenv("MCPTEST_FULL") != "" }
