package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mcptest-dev/mcptest/internal/surface/cli"
)

func TestMain(m *testing.M) {
	if os.Getenv("MCPTEST_AS_COMMAND") != "" { // see docs_test.go
		os.Exit(cli.Main(cli.System()))
	}
	testscript.Main(stateless{m}, map[string]func(){
		"mcptest":  func() { os.Exit(cli.Main(cli.System())) },
		"request":  request,
		"xdg-open": agree, // what opens a browser on Linux
		"open":     agree, // and on macOS
	})
}

// stateless tests keep what the program keeps for its user in a folder that goes away.
type stateless struct{ *testing.M }

// Run runs the tests.
func (s stateless) Run() int {
	flag.Parse()
	_ = flag.Set("test.parallel", "6") // scripts and examples wait more than they work
	dir, err := os.MkdirTemp("", "mcptest-state")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := errors.Join(os.Setenv("XDG_STATE_HOME", dir),
		os.Setenv(builtHere, filepath.Join(dir, "mcptest-built"))); err != nil {
		panic(err)
	}
	return s.M.Run()
}

// builtHere is the environment variable that says where the program is built for tests that run it as a process.
const builtHere = "MCPTEST_TEST_BUILT"

// build builds the program once for all tests.
var build = sync.OnceValues(func() (binary string, err error) {
	binary = os.Getenv(builtHere)
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return binary, nil
})

// request sends an HTTP request for a script: METHOD URL [BODY]. It prints the status and the body.
func request() {
	args := append(os.Args[1:], "")
	req, err := http.NewRequest(args[0], args[1], strings.NewReader(args[2]))
	if err != nil {
		panic(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		panic(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		panic(err)
	}
	fmt.Println(resp.StatusCode, string(body))
}

// Each script is one behaviour of the command line, as a person would see it.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv("HOME", home)
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
			env.Setenv("XDG_STATE_HOME", filepath.Join(home, ".local", "state"))
			return os.MkdirAll(home, 0o755)
		},
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
	})
}
