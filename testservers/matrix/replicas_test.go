package matrix

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/testservers/postgres"
)

// A loadedCall is one call of a client, as it printed it. Times are in seconds.
type loadedCall struct {
	Op, Key, Got, Error string
	Start, End          float64
}

// worker is the part of a client that made the call; each has one call in flight at a time.
func (c loadedCall) worker() string { return c.Key[:strings.LastIndex(c.Key, "-")] }

// A loadJob is described in README.md.
type loadJob struct {
	Name    string   `json:"name"`
	Era     string   `json:"era"`
	URL     string   `json:"url"`
	Tools   []string `json:"tools"`
	Workers int      `json:"workers"`
	Rate    float64  `json:"rate"`
	Seconds float64  `json:"seconds"`
	Timeout float64  `json:"timeout"`
}

// A fault is what happens to a replica: after some time it is killed, or shut down, and started again.
type fault struct {
	after   float64
	replica int
	kill    bool
}

// A window is the time of a kill. Calls that were in flight then may fail.
type window struct{ from, to float64 }

// noticed is how long a load balancer or another replica may use a connection whose process was killed.
const noticed = 0.25

func (w window) touches(c loadedCall) bool { return c.Start <= w.to+noticed && c.End >= w.from }

// TestReplicas has clients of the SDKs call tools through three replicas behind HAProxy, while replicas are killed and
// shut down. The servers write each executed call to a ledger. Only calls in flight in a killed replica may fail, and no
// call may be executed twice, or with the answer of another client.
func TestReplicas(t *testing.T) {
	clients, rate, seconds := []client{}, 60.0, 5.0
	faults := []fault{{1.5, 0, true}, {3, 1, false}}
	timeout := 4.0 // an SDK may wait until then for the response of a stream that was cut
	if full() {
		rate, seconds, timeout = 300, 60, 10
		faults = []fault{{15, 0, true}, {22, 1, false}, {30, 2, true}, {45, 0, true}}
	}
	for _, s := range sdks(t) {
		for _, era := range []string{handshake, stateless} {
			switch {
			case era == stateless && !s.stateless, s.name == "fastmcp", !full() && (s.name == "py2" || s.name == "ts2"):
			default:
				clients = append(clients, client{s, era})
			}
		}
	}
	own := []client{{sdk{name: "mcptest"}, handshake}, {sdk{name: "mcptest"}, stateless}}
	set := startReplicaSet(t, append(slices.Clone(clients), own...))
	var all [][]loadedCall
	var lock sync.Mutex
	var running sync.WaitGroup
	for i, c := range append(clients, own...) {
		job := loadJob{Name: c.name + "-" + c.era, Era: c.era, URL: set.urls[i], Workers: 2, Rate: rate / float64(len(set.urls)),
			Seconds: seconds, Timeout: timeout,
			Tools: []string{"new__note", "old__note", "new__steps", "old__ask", "new__note", "old__steps", "new__ask"}}
		running.Go(func() {
			run := runLoad
			if c.name == "mcptest" {
				run = runOwnLoad
			}
			calls := run(t, c, job)
			lock.Lock()
			all = append(all, calls)
			lock.Unlock()
		})
	}
	began := time.Now()
	var kills []window
	for _, f := range faults {
		running.Go(func() { // a shutdown may last until the next kill
			time.Sleep(time.Until(began.Add(time.Duration(f.after * float64(time.Second)))))
			w := set.fail(t, f)
			lock.Lock()
			defer lock.Unlock()
			if f.kill {
				kills = append(kills, w)
			} else {
				t.Logf("a shutdown took %.1f s", w.to-w.from)
			}
		})
	}
	running.Wait()
	set.check(t, slices.Concat(all...), kills)
}

// check compares what the clients saw with the ledger.
func (set *replicaSet) check(t *testing.T, calls []loadedCall, kills []window) {
	t.Helper()
	raw, err := os.ReadFile(set.ledger)
	if err != nil {
		t.Fatal(err)
	}
	executed := map[string]int{}
	for line := range strings.Lines(string(raw)) {
		executed[strings.TrimSpace(line)]++
	}
	for line, n := range executed {
		if n > 1 {
			t.Errorf("executed %d times: %s", n, line)
		}
	}
	good, failed, connects := map[string]int{}, map[string]int{}, 0
	perKill := map[string]int{}
	for _, c := range calls {
		if c.Op == "connect" {
			connects++
			continue
		}
		name := c.worker()[:strings.LastIndex(c.worker(), "-")]
		_, tool, _ := strings.Cut(c.Op, "__")
		line := tool + " " + c.Key
		if c.Error == "" {
			good[name]++
			if c.Got != line || executed[line] != 1 {
				t.Errorf("%s got %q and was executed %d times", c.Key, c.Got, executed[line])
			}
			continue
		}
		failed[name]++
		kill := slices.IndexFunc(kills, func(w window) bool { return w.touches(c) })
		if kill < 0 {
			t.Errorf("%s %s failed without a killed replica: %s (%.3f to %.3f, kills %v)", c.Op, c.Key, c.Error, c.Start, c.End,
				kills)
			continue
		}
		perKill[fmt.Sprint(c.worker(), kill)]++
		t.Logf("in flight in a killed replica: %s %s, %.1f s: %.200s", c.Op, c.Key, c.End-c.Start, c.Error)
	}
	for worker, n := range perKill {
		if n > 1 {
			t.Errorf("%s: %d calls failed for one kill", worker, n)
		}
	}
	total, bad := 0, 0
	for _, name := range set.names {
		if good[name] < 10 {
			t.Errorf("%s: only %d calls", name, good[name])
		}
		total, bad = total+good[name], bad+failed[name]
	}
	t.Logf("%d calls, %d failed in %d kills, %d failed connects, %d executed; by client: %v, failed: %v", total+bad, bad,
		len(kills), connects, len(executed), good, failed)
}

// runLoad runs the client program of an SDK and returns its calls.
func runLoad(t *testing.T, c client, j loadJob) (calls []loadedCall) {
	text, err := json.Marshal(j)
	if err != nil {
		t.Error(err)
		return nil
	}
	program := slices.Clone(c.client)
	last := len(program) - 1
	if program[last] == "client" {
		program[last] = "load"
	}
	program[last] = strings.Replace(program[last], "_client.", "_load.", 1)
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(j.Seconds+40)*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, program[0], append(program[1:], string(text))...)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	ownGroup(cmd)
	if err := cmd.Run(); err != nil {
		t.Errorf("%s %s: %v\n%.2000s", c.name, c.era, err, stderr.String())
	}
	for lines := bufio.NewScanner(&out); lines.Scan(); {
		var one loadedCall
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Errorf("output of %s: %v: %s", c.name, err, lines.Text())
			continue
		}
		calls = append(calls, one)
	}
	return calls
}

// A replicaSet is three gateways behind HAProxy. Each client has an address of its own there, which authenticates it.
type replicaSet struct {
	ledger, config, database string
	names, urls              []string // of the clients
	addresses                []string // of the replicas
	running                  []*replicaProcess
}

type replicaProcess struct {
	cmd    *exec.Cmd
	exited <-chan struct{}
}

func startReplicaSet(t *testing.T, clients []client) *replicaSet {
	t.Helper()
	dir := t.TempDir()
	set := &replicaSet{ledger: filepath.Join(dir, "ledger"), config: filepath.Join(dir, "mcp.json"),
		database: postgres.Fresh(t), running: make([]*replicaProcess, 3)}
	server := map[string]any{"command": built.gosdk, "args": []string{"ledger", set.ledger}}
	var callers []any
	frontend := ""
	for _, c := range clients {
		name := c.name + "-" + c.era
		address := freeAddress(t)
		_, port, _ := strings.Cut(address, ":")
		token := "token of " + name
		callers = append(callers, map[string]any{"name": name, "token_sha256": fmt.Sprintf("%x", sha256.Sum256([]byte(token)))})
		set.names, set.urls = append(set.names, name), append(set.urls, "http://"+address+"/mcp")
		frontend += fmt.Sprintf("bind %s\n    http-request set-header Authorization \"Bearer %s\" if { dst_port %s }\n    ",
			address, token, port)
	}
	config, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"new": server, "old": server},
		"gateway": map[string]any{"callers": callers, "hosts": []string{"gateway.example.com"},
			"servers": map[string]any{"old": map[string]any{"protocol": "2025-11-25", "isolation": "per-session"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(set.config, config, 0o600); err != nil {
		t.Fatal(err)
	}
	backend := ""
	for i := range set.running {
		set.addresses = append(set.addresses, freeAddress(t))
		backend += fmt.Sprintf("    server gateway-%d %s\n", i+1, set.addresses[i])
		set.start(t, i)
	}
	for i := range set.running {
		set.ready(t, i)
	}
	startHAProxy(t, frontend, backend)
	return set
}

// start starts a replica.
func (set *replicaSet) start(t *testing.T, i int) {
	t.Helper()
	cmd := exec.Command(built.mcptest, "gateway", "--config", set.config, "--listen", set.addresses[i], "--store", set.database,
		"--replica-url", "http://"+set.addresses[i], "--drain-delay", "500ms", "--drain-timeout", "20s")
	set.running[i] = &replicaProcess{cmd, start(t, cmd)}
}

// ready waits until a replica serves clients.
func (set *replicaSet) ready(t *testing.T, i int) {
	t.Helper()
	for end := time.Now().Add(startTimeout); ; time.Sleep(20 * time.Millisecond) {
		if statusOf(set.addresses[i], "/readyz") == 200 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("replica %d is not ready", i)
		}
	}
}

// fail kills a replica or shuts it down, and starts it again.
func (set *replicaSet) fail(t *testing.T, f fault) window {
	t.Helper()
	p := set.running[f.replica]
	w := window{from: clock()}
	sent := syscall.SIGTERM
	if f.kill {
		sent = syscall.SIGKILL
	}
	if err := p.cmd.Process.Signal(sent); err != nil {
		t.Error(err)
	}
	<-p.exited
	w.to = clock()
	if code := p.cmd.ProcessState.ExitCode(); !f.kill && code != 0 {
		t.Errorf("replica %d exited with %d", f.replica, code)
	}
	set.start(t, f.replica)
	return w
}

func clock() float64 { return float64(time.Now().UnixMicro()) / 1e6 }
