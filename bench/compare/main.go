// Command compare measures mcptest beside its peers, in one run on one machine: the client of the Go SDK, the command
// line of the official inspector, mcporter, gateways from npm, and a thin proxy that is made with mcp-go (bench/mcpgo).
//
//	go run ./bench/compare                 measure and print
//	go run ./bench/compare -write          and write docs/benchmarks.md
//	go run ./bench/compare -only mcp-go    measure beside one peer
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
	"strings"

	"github.com/mcptest-dev/mcptest/bench/echo"
)

// The first arguments that make this program the server behind what is measured.
const (
	echoMode     = "echo-server"
	echoHTTPMode = "echo-http-server"
	echoSDKMode  = "echo-sdk-server"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("compare: ")
	if serveEcho() {
		return
	}
	turns := flag.Int("turns", 11, "how many turns each pair has")
	only := flag.String("only", "", "measure only the contests whose title, peer or server contains this text")
	write := flag.Bool("write", false, "write docs/benchmarks.md; run it from the root of the module")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *only != "" && *write {
		log.Fatal("-only and -write are mutually exclusive: the page has all contests")
	}
	if err := run(ctx, *turns, *only, *write); err != nil {
		log.Fatal(err)
	}
}

// serveEcho is the server behind what is measured, if the first argument asks for one.
func serveEcho() bool {
	if len(os.Args) < 2 {
		return false
	}
	switch os.Args[1] {
	case echoMode:
		echo.Serve(os.Stdin, os.Stdout, false)
	case echoHTTPMode:
		echo.ServeHTTP()
	case echoSDKMode:
		echo.ServeSDK()
	default:
		return false
	}
	return true
}

func run(ctx context.Context, turns int, only string, write bool) error {
	lab, err := newLab(ctx)
	if err != nil {
		return err
	}
	defer lab.close()
	var results []result
	for _, c := range contests {
		if !strings.Contains(c.title+" "+c.theirs, only) {
			continue
		}
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
