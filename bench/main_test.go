package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/mcptest-dev/mcptest/bench/echo"
	"github.com/mcptest-dev/mcptest/testservers/planted"
)

// echoMode is the first argument that makes this binary the echo server; the second is the era that it speaks.
const echoMode = "echo-server"

// echoHTTPMode is the first argument that makes this binary the echo server over HTTP.
const echoHTTPMode = "echo-http-server"

// echoSDKMode is the first argument that makes this binary the echo server of the Go SDK over stdin and stdout.
const echoSDKMode = "echo-sdk-server"

func TestMain(m *testing.M) {
	planted.Play()
	if len(os.Args) > 2 && os.Args[1] == echoMode {
		echo.Serve(os.Stdin, os.Stdout, os.Args[2] == "modern")
		os.Exit(0)
	}
	if len(os.Args) > 1 && os.Args[1] == echoHTTPMode {
		echo.ServeHTTP()
		os.Exit(0)
	}
	if len(os.Args) > 1 && os.Args[1] == echoSDKMode {
		echo.ServeSDK()
		os.Exit(0)
	}
	if os.Getenv("MCPTEST_BENCH") == "off" {
		fmt.Println("left out: MCPTEST_BENCH is off, as where the promises about speed were measured before, alone")
		os.Exit(0)
	}
	os.Exit(withFolder(m))
}

// builtIn is the environment variable that names the folder in which mcptest is built.
const builtIn = "MCPTEST_BENCH_BUILT"

// withFolder runs the benchmarks with a folder that goes away after them.
func withFolder(m *testing.M) int {
	dir, err := os.MkdirTemp("", "mcptest-bench")
	if err == nil {
		err = os.Setenv(builtIn, dir)
	}
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	return m.Run()
}

// built is mcptest, built once for all benchmarks.
var built = sync.OnceValues(func() (binary string, err error) {
	binary = filepath.Join(os.Getenv(builtIn), "mcptest")
	if out, err := exec.Command("go", "build", "-o", binary, "../cmd/mcptest").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return binary, nil
})

func buildMcptest(t *testing.T) string {
	t.Helper()
	binary, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return binary
}
