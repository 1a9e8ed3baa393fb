package runners

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// copies returns copies of both programs, so that their processes can be told from those of other tests.
func copies(t *testing.T) (program2, server2 string) {
	t.Helper()
	dir := t.TempDir()
	program2, server2 = filepath.Join(dir, "mcptest"), filepath.Join(dir, "server")
	for to, from := range map[string]string{program2: program, server2: server} {
		if err := os.Link(from, to); err != nil {
			t.Fatal(err)
		}
	}
	return program2, server2
}

// processes lists the processes of programs.
func processes(programs ...string) []string {
	var all []string
	links, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, link := range links {
		exe, _ := os.Readlink(link)
		for _, p := range programs {
			if strings.TrimSuffix(exe, " (deleted)") == p {
				all = append(all, link+" "+exe)
			}
		}
	}
	return all
}

// noneLeft waits until the programs have no processes.
func noneLeft(t *testing.T, programs ...string) {
	t.Helper()
	var left []string
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if left = processes(programs...); len(left) == 0 {
			return
		}
	}
	t.Errorf("processes are left: %q", left)
}

// A talk is a conversation with a driver.
type talk struct {
	t    *testing.T
	in   io.WriteCloser
	out  *bufio.Reader
	next int
}

func newTalk(t *testing.T, program string) *talk {
	t.Helper()
	cmd := command(".", program, "driver")
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
	t.Cleanup(func() { in.Close(); _ = cmd.Wait() })
	k := &talk{t: t, in: in, out: bufio.NewReader(out)}
	k.ask("hello", `{"protocol":1}`)
	return k
}

// ask sends a request and returns the status of its result, or the message of its error.
func (k *talk) ask(method, params string) (status, problem string) {
	k.t.Helper()
	k.next++
	fmt.Fprintf(k.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", k.next, method, params)
	for {
		line, err := k.out.ReadBytes('\n')
		if err != nil {
			k.t.Fatal(err)
		}
		var reply struct {
			ID     int
			Result struct{ Status string }
			Error  struct{ Message string }
		}
		if err := json.Unmarshal(line, &reply); err != nil {
			k.t.Fatal(err)
		}
		if reply.ID == k.next {
			return reply.Result.Status, reply.Error.Message
		}
	}
}

// TestServerDiesAtRandom starts a server that exits at random again and again: each request gets a verdict, and no
// process is left. MCPTEST_FULL runs it 500 times.
func TestServerDiesAtRandom(t *testing.T) {
	t.Parallel()
	program2, server2 := copies(t)
	k := newTalk(t, program2)
	runs := 30
	if os.Getenv("MCPTEST_FULL") != "" {
		runs = 500
	}
	counts, longest := map[string]int{}, time.Duration(0)
	for range runs {
		start := time.Now()
		_, problem := k.ask("start", fmt.Sprintf(`{"name":"s","server":{"command":[%q],"protocol":"2025-06-18",`+
			`"env":{"DIES":"0.15"}}}`, server2))
		if problem != "" {
			counts["not started"]++
			continue
		}
		for range 3 {
			status, problem := k.ask("call", `{"server":"s","tool":"add","args":{"a":1,"b":2},"expect":{"exact":"3"}}`)
			if problem != "" || status != "passed" && status != "broken" {
				t.Errorf("expected a verdict, got %s %s", status, problem)
			}
			counts[status]++
		}
		k.ask("stop", `{"server":"s"}`)
		longest = max(longest, time.Since(start))
	}
	t.Logf("%d runs: %v, the longest %v", runs, counts, longest.Round(time.Millisecond))
	if counts["passed"] == 0 || counts["broken"]+counts["not started"] == 0 {
		t.Errorf("expected both, got %v", counts)
	}
	noneLeft(t, server2)
	k.in.Close()
	noneLeft(t, server2, program2)
}

// asParent is the variable that makes this test binary a test runner that is killed.
const asParent = "MCPTEST_RUNNERS_PARENT"

// beParent reports whether this process was the test runner.
func beParent() bool {
	if os.Getenv(asParent) == "" {
		return false
	}
	parent()
	return true
}

// parent starts a driver and a server that does not respond, writes a line, and waits.
func parent() {
	cmd := command(".", os.Getenv(asParent), "driver")
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	fmt.Fprintf(in, `{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":1}}`+"\n"+
		`{"jsonrpc":"2.0","id":2,"method":"start","params":{"name":"s","server":{"command":[%q]}}}`+"\n"+
		`{"jsonrpc":"2.0","id":3,"method":"call","params":{"server":"s","tool":"hang"}}`+"\n"+
		`{"jsonrpc":"2.0","id":4,"method":"call","params":{"server":"s","tool":"add","args":{"a":1,"b":2}}}`+"\n",
		os.Getenv("PARENT_SERVER"))
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.Contains(lines.Text(), `"id":4,"result"`) {
			fmt.Println("ready")
		}
	}
}

// TestRunnerIsKilled kills a test runner in the middle of a call: neither the driver nor the server survives.
func TestRunnerIsKilled(t *testing.T) {
	t.Parallel()
	for name, victim := range map[string]string{"runner": "", "driver": "driver"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program2, server2 := copies(t)
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			cmd := command(".", self)
			cmd.Env = append(cmd.Env, asParent+"="+program2, "PARENT_SERVER="+server2)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
				t.Fatalf("%q, %v", line, err)
			}
			if len(processes(server2)) == 0 {
				t.Error("the server is not running")
			}
			if victim == "" {
				_ = cmd.Process.Kill()
			} else {
				killDriver(t, program2)
			}
			_ = cmd.Wait()
			noneLeft(t, server2, program2)
		})
	}
}

// killDriver kills the process of a program whose argument is driver.
func killDriver(t *testing.T, program string) {
	t.Helper()
	for _, line := range processes(program) {
		link, _, _ := strings.Cut(line, " ")
		args, _ := os.ReadFile(filepath.Join(filepath.Dir(link), "cmdline"))
		if !strings.HasSuffix(string(args), "\x00driver\x00") {
			continue
		}
		var pid int
		_, _ = fmt.Sscanf(link, "/proc/%d/exe", &pid)
		if p, err := os.FindProcess(pid); err == nil && pid > 1 {
			_ = p.Kill()
			return
		}
	}
	t.Error("no driver is running")
}
