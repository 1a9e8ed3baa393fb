package matrix

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// expected is what each operation returns in every cell.
var expected = map[string]string{
	"list":        "ask count echo pause release sample state",
	"call":        "grün 1",
	"progress":    "1/3 2/3 3/3 done",
	"cancel":      "cancelled",
	"resource":    "a note",
	"prompt":      "Hello, Ada",
	"elicitation": "accept blue",
	"sampling":    "model: hi",
}

// A job is the argument of a client program.
type job struct {
	Era     string   `json:"era"`
	URL     string   `json:"url,omitempty"`
	Command []string `json:"command,omitempty"`
	Servers []string `json:"servers"`
	Skip    []string `json:"skip,omitempty"`  // operations that are not run: SERVER/OPERATION
	Calls   [][2]any `json:"calls,omitempty"` // of tools before the operations: name and arguments
}

// A result is a line that a client program prints.
type result struct {
	Server string `json:"server"`
	Op     string `json:"op"`
	Got    string `json:"got"`
	Error  string `json:"error"`
}

func (r result) String() string {
	if r.Error != "" {
		return "error: " + r.Error
	}
	return r.Got
}

// clientTimeout bounds one client program. An operation that hangs ends after one minute by itself.
func clientTimeout(j job) time.Duration {
	return 2*time.Minute + time.Duration(len(j.Servers))*time.Minute
}

// runClient runs a client program and returns its results by server and operation, "connect" without a server.
func runClient(t *testing.T, c client, j job) map[[2]string]result {
	t.Helper()
	j.Era = c.era
	text, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(c.client[0], append(c.client[1:len(c.client):len(c.client)], string(text))...)
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd.Stdout = in
	exited := start(t, cmd)
	in.Close()
	timer := time.AfterFunc(clientTimeout(j), func() { endGroup(cmd, exited) })
	defer timer.Stop()
	return read(t, out)
}

func read(t *testing.T, out io.Reader) map[[2]string]result {
	t.Helper()
	results := map[[2]string]result{}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var r result
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Errorf("output of the client: %v: %s", err, lines.Text())
			continue
		}
		results[[2]string{r.Server, r.Op}] = r
	}
	return results
}

// A cell is one client and one server on one route.
type cell struct {
	client, server, route string
	upstream              string // the revision between the gateway and the server, if it is known
}

func (c cell) String() string { return c.client + "/" + c.server + "/" + c.route }

const (
	direct       = "direct"
	throughHTTP  = "gateway-http"
	throughStdio = "gateway-stdio"
)

// check compares the results of one cell with what is expected, and with the known gaps.
func (c cell) check(t *testing.T, prefix, revision string, results map[[2]string]result) {
	t.Helper()
	c.checkOp(t, "connect", revision, results[[2]string{"", "connect"}])
	for op, want := range expected {
		if c.skips(op) {
			continue
		}
		c.checkOp(t, op, want, results[[2]string{prefix, op}])
	}
}

func (c cell) checkOp(t *testing.T, op, want string, got result) {
	t.Helper()
	if got.Op == "" {
		got.Error = "no output"
	}
	passed := got.Error == "" && got.Got == want
	known := gapsOf(c, op)
	switch {
	case passed && known == nil:
	case passed:
		t.Errorf("%s %s passes, which the table of gaps does not expect: remove the gap %+v", c, op, *known)
	case known == nil:
		t.Errorf("%s %s: got %q, want %q", c, op, got, want)
	case !strings.Contains(got.String(), known.got):
		t.Errorf("%s %s: got %q, want the gap %+v", c, op, got, *known)
	}
}

// skips reports whether an operation is not run, because it would take long to fail.
func (c cell) skips(op string) bool {
	known := gapsOf(c, op)
	return known != nil && known.slow && !full()
}

// skipped are the operations that a client does not run, as a job names them.
func (c cell) skipped() []string {
	var list []string
	for op := range expected {
		if c.skips(op) {
			list = append(list, c.server+"/"+op)
		}
	}
	return list
}

// gapsUsed are the gaps that were looked up by a cell, to find those that no cell has.
var gapsUsed sync.Map

func gapsOf(c cell, op string) *gap {
	i := slices.IndexFunc(gaps, func(g gap) bool { return g.matches(c, op) })
	if i < 0 {
		return nil
	}
	gapsUsed.Store(i, true)
	return &gaps[i]
}

// revisionOf is what a client and a server agree on.
func revisionOf(c client, serverStateless bool) string {
	if c.era == stateless && serverStateless {
		return "2026-07-28"
	}
	return "2025-11-25"
}
