package bench

import (
	"bufio"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/testservers/npm"
)

// connectFactor is how much longer than a bare client `tools list` may take on a real server.
const connectFactor = 1.15

// TestToolsListOfARealServer measures `tools list` on server-everything beside a client that does nothing but the
// handshake and the list: nine times each, in turns. The median of the nine ratios counts: a machine that becomes slower
// or faster between two turns changes both sides of the others alike.
func TestToolsListOfARealServer(t *testing.T) {
	in := npm.Require(t)
	binary := buildMcptest(t)
	server := []string{in.Node, in.Script("server-everything")}
	var bare, ours []time.Duration
	var ratios []float64
	for i := range 9 {
		bare = append(bare, bareList(t, server))
		start := time.Now()
		out, err := exec.Command(binary, append([]string{"tools", "list", "--"}, server...)...).CombinedOutput()
		ours = append(ours, time.Since(start))
		if err != nil || !strings.Contains(string(out), "echo(") {
			t.Fatalf("tools list: %v\n%s", err, out)
		}
		ratios = append(ratios, float64(ours[i])/float64(bare[i]))
	}
	slices.Sort(bare)
	slices.Sort(ours)
	t.Logf("tools list of server-everything: %v, a bare client %v (medians of 9), %.2f times as long (median of the "+
		"ratios, bar %v)", ours[4], bare[4], middle(ratios), connectFactor)
	checkTime(t, "tools list of server-everything", time.Duration(middle(ratios)*float64(bare[4])),
		time.Duration(connectFactor*float64(bare[4])))
}

// capabilities are those that mcptest declares. The server has more tools for a client that has them.
const capabilities = `{"roots":{},"sampling":{},"elicitation":{"form":{},"url":{}},"tasks":{"list":{},"cancel":{},` +
	`"requests":{"sampling":{"createMessage":{}},"elicitation":{"create":{}}}}}`

// bareList starts a server, lists its tools and returns how long that took, until the list has arrived.
func bareList(t *testing.T, server []string) time.Duration {
	t.Helper()
	start := time.Now()
	cmd := exec.Command(server[0], server[1:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	lines := bufio.NewReader(out)
	ask := func(messages, want string) {
		if _, err := in.Write([]byte(messages)); err != nil {
			t.Fatal(err)
		}
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(line, want) {
				return
			}
		}
	}
	ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":`+capabilities+
		`,"clientInfo":{"name":"bare","version":"1"}}}`+"\n", `"protocolVersion"`)
	ask(`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`+"\n", `"tools"`)
	return time.Since(start)
}
