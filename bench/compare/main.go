// Command compare measures mcptest beside its peers, in one run on one machine: the client of the Go SDK, the command
// line of the official inspector, mcporter, and gateways from npm.
//
//	go run ./bench/compare            measure and print
//	go run ./bench/compare -write     and write docs/benchmarks.md
//
// Peers are installed with pinned versions into a temporary folder. Those that cannot be installed are skipped and
// listed.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"

	"github.com/mcptest-dev/mcptest/bench/echo"
)

// The first arguments that make this program the server behind what is measured.
const (
	echoMode     = "echo-server"
	echoHTTPMode = "echo-http-server"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("compare: ")
	if len(os.Args) > 1 && os.Args[1] == echoMode {
		echo.Serve(os.Stdin, os.Stdout, false)
		return
	}
	if len(os.Args) > 1 && os.Args[1] == echoHTTPMode {
		echo.ServeHTTP()
		return
	}
	turns := flag.Int("turns", 11, "how many turns each pair has")
	write := flag.Bool("write", false, "write docs/benchmarks.md; run it from the root of the module")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *turns, *write); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, turns int, write bool) error {
	lab, err := newLab(ctx)
	if err != nil {
		return err
	}
	defer lab.close()
	var results []result
	for _, c := range contests {
		pair, err := c.prepare(ctx, lab)
		if err != nil {
			results = append(results, result{contest: c, skipped: err.Error()})
			fmt.Printf("%s: skipped: %v\n", c.title, err)
			continue
		}
		r := c.measure(ctx, pair, turns)
		pair.stop()
		fmt.Println(r)
		results = append(results, r)
	}
	if !write {
		return nil
	}
	return os.WriteFile(filepath.Join("docs", "benchmarks.md"), []byte(page(thisMachine(), turns, results)), 0o644)
}

// A lab is where things are measured: a folder with mcptest in it and, once they are asked for, its peers.
type lab struct {
	dir, self, mcptest string
	packages           error // why the packages of npm are not there
	installed          bool
}

func newLab(ctx context.Context) (*lab, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "mcptest-compare-")
	if err != nil {
		return nil, err
	}
	l := &lab{dir: dir, self: self, mcptest: filepath.Join(dir, "mcptest")}
	build := exec.CommandContext(ctx, "go", "build", "-o", l.mcptest, "github.com/mcptest-dev/mcptest/cmd/mcptest")
	if out, err := build.CombinedOutput(); err != nil {
		l.close()
		return nil, fmt.Errorf("build mcptest: %w\n%s", err, out)
	}
	return l, nil
}

func (l *lab) close() { _ = os.RemoveAll(l.dir) }
