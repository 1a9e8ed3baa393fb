package httpapi_test

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/leaktest"
	"github.com/mcptest-dev/mcptest/internal/surface/cli"
	"github.com/mcptest-dev/mcptest/testservers/starter"
	"github.com/mcptest-dev/mcptest/testservers/zoo"
)

// The test binary is three programs: the tests, mcptest itself, and a server.
const (
	asMcptest = "MCPTEST_AS_MCPTEST"
	asTarget  = "__target"
)

func TestMain(m *testing.M) {
	zoo.Play()
	starter.Play()
	if len(os.Args) > 1 && os.Args[1] == asTarget {
		serveLines()
		return
	}
	if len(os.Args) > 1 && os.Args[1] == asHostile {
		_ = serveHostile(context.Background(), os.Stdin, os.Stdout)
		return
	}
	if os.Getenv(asMcptest) != "" {
		os.Exit(cli.Main(cli.System()))
	}
	flag.Parse()
	_ = flag.Set("test.parallel", "12") // most of the time is spent waiting
	leaktest.Main(m)
}

// serveLines is a server with one tool. It leaves a file where STARTED says, so that a test can see that it ran, and
// says what its CANARY is wherever a server can say something.
func serveLines() {
	if file := os.Getenv("STARTED"); file != "" {
		_ = os.WriteFile(file, nil, 0o600)
	}
	canary := os.Getenv("CANARY")
	fmt.Fprintln(os.Stderr, "my canary is", canary)
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 32<<20)
	for in.Scan() {
		id, method := field(in.Text(), `"id":`), field(in.Text(), `"method":"`)
		switch method {
		case "initialize":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},`+
				`"logging":{}},"serverInfo":{"name":"lines","version":"1"}}}`+"\n", id)
		case "tools/list":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"go","description":"Goes.",`+
				`"inputSchema":{"type":"object"}}]}}`+"\n", id)
		case "tools/call":
			fmt.Printf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"canary %s"}}`+"\n", canary)
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"canary %s"}]}}`+"\n", id,
				canary)
		case "":
		default:
			if id != "" {
				fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no %s"}}`+"\n", id, canary)
			}
		}
	}
}

// field is what follows a mark in a line of JSON, up to the end of the value.
func field(line, mark string) string {
	_, rest, _ := strings.Cut(line, mark)
	if i := strings.IndexAny(rest, `",}`); i >= 0 {
		return rest[:i]
	}
	return rest
}
