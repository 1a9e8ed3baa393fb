package frontend

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/upstream"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
	"github.com/mcptest-dev/mcptest/testservers/starter"
)

// isolated is a gateway before one server, in the older era, with this isolation.
func isolated(t *testing.T, target wire.Target, isolation upstream.Isolation, processes int,
	idle time.Duration) *rig {
	t.Helper()
	r := newRig(t, All, nil, nil)
	o := upstreamOptions()
	o.Protocol, o.Isolation, o.Processes, o.Idle = "2025-11-25", isolation, processes, idle
	r.Add("a", target, o)
	s := r.dial(t, "2026-07-28", "nobody", mcp.Options{})
	eventually(t, "the tools", func() bool { return len(names(t, s)) > 0 })
	return r
}

// named is a client that answers questions with its name.
func (r *rig) named(t *testing.T, protocol, name string) *mcp.Session {
	t.Helper()
	return r.dial(t, protocol, name, mcp.Options{Elicitation: func(context.Context,
		json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`{"action":"accept","content":{"name":"` + name + `"}}`), nil
	}})
}

// result splits the text of a keeper into its pid and the rest.
func result(t testing.TB, answer string) (pid, rest string) {
	t.Helper()
	pid, rest, ok := strings.Cut(textsOf(answer), " ")
	if !ok {
		t.Errorf("%s, want a result", answer)
	}
	return pid, rest
}

// callers is how many callers there are at once, each with a process of its own, and maxKeepers how many processes.
var callers = map[bool]int{false: 8 + 16/slowdown, true: 200}[full]

const maxKeepers = 12

// maxCallerBytes is how much memory may be used for a caller between its calls: the sessions of the gateway and of its
// client, which are in this process too.
const maxCallerBytes = 192 << 10

// heap is the memory that is in use.
func heap() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// together is how many children there were at one time: those that are in two lists existed between them. One list alone
// is made while children start and exit.
func together() (n int) {
	before := children()
	for _, pid := range children() {
		if slices.Contains(before, pid) {
			n++
		}
	}
	return n
}

// Each session has its own process: no state and no answer crosses, there are never more processes than allowed, and
// all are gone when they were idle.
func TestPerSession(t *testing.T) {
	r := isolated(t, keeper(), upstream.PerSession, maxKeepers, 300*time.Millisecond)
	before := heap()
	var most atomic.Int64
	done := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		for {
			most.Store(max(most.Load(), int64(r.Health()[0].Processes), int64(together())))
			select {
			case <-done:
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	})
	var wg sync.WaitGroup
	for i := range callers {
		name := fmt.Sprint("caller", i)
		s := r.named(t, protocols[i%2], name)
		wg.Go(func() {
			if _, got := result(t, call(t, s, "a__keep", `{"value":"`+name+`"}`)); got != name {
				t.Errorf("%s kept %q", name, got)
			}
			if _, got := result(t, call(t, s, "a__tell", `{}`)); got != name && got != "nothing" { // of a new process
				t.Errorf("%s was told %q, want its own state", name, got)
			}
			if _, got := result(t, call(t, s, "a__ask", `{}`)); got != name {
				t.Errorf("%s: %q, want its own answer", name, got)
			}
		})
	}
	wg.Wait()
	close(done)
	watch.Wait()
	if n := most.Load(); n > maxKeepers+1 || n < 3 {
		t.Errorf("%d processes at once, want at most %d and the shared one", n, maxKeepers)
	}
	eventually(t, "the end of idle processes", func() bool {
		return r.Health()[0].Processes == 1 && len(children()) <= 1
	})
	used := heap() - before
	t.Logf("%d callers, at most %d processes at once, then %d KiB of memory for each caller", callers, most.Load(),
		used/callers>>10)
	if used > callers*maxCallerBytes {
		t.Errorf("%d KiB of memory are still used after the calls of %d callers", used>>10, callers)
	}
	if h := r.Health()[0]; h.Calls < int64(3*callers) {
		t.Errorf("%d calls, want those of stopped processes too", h.Calls)
	}
}

// The process of a session lives as long as the session, and keeps its state; that of a caller is for all its sessions.
func TestProcessesAndSessions(t *testing.T) {
	for isolation, shared := range map[upstream.Isolation]bool{upstream.PerSession: false, upstream.PerCaller: true} {
		r := isolated(t, keeper(), isolation, 0, 0)
		first, second := r.named(t, "2025-11-25", "ada"), r.named(t, "2025-11-25", "ada")
		other := r.named(t, "2025-11-25", "bob")
		one, _ := result(t, call(t, first, "a__keep", `{"value":"x"}`))
		two, told := result(t, call(t, second, "a__tell", `{}`))
		if (one == two) != shared || (told == "x") != shared {
			t.Errorf("%s: processes %s and %s of one caller, told %q", isolation, one, two, told)
		}
		if pid, told := result(t, call(t, other, "a__tell", `{}`)); pid == one || told != "nothing" {
			t.Errorf("%s: another caller was told %q by %s", isolation, told, pid)
		}
		if again, told := result(t, call(t, first, "a__tell", `{}`)); again != one || told != "x" {
			t.Errorf("%s: %s told %q, want the state of %s", isolation, again, told, one)
		}
		before := r.Health()[0].Processes
		_ = first.Close()
		_ = second.Close()
		if !shared {
			eventually(t, "the end of the processes", func() bool { return r.Health()[0].Processes == before-2 })
		}
	}
}

// A client does not wait for another one at a server that has asked a question: from then on each has its own process,
// and the one that was asked keeps the first.
func TestNoTurns(t *testing.T) {
	r := isolated(t, keeper(), upstream.Auto, 0, 0)
	a := r.named(t, "2025-11-25", "ada")
	first, _ := result(t, call(t, a, "a__keep", `{"value":"x"}`))
	if _, told := result(t, call(t, r.named(t, "2025-11-25", "bob"), "a__tell", `{}`)); told != "x" {
		t.Errorf("before a question: told %q, want one shared process", told)
	}
	file := filepath.Join(t.TempDir(), "done")
	slow := make(chan string, 1)
	go func() { slow <- call(t, a, "a__ask", `{"until":"`+file+`"}`) }()
	own := r.processesOf("a")
	eventually(t, "the question", own.asked.Load)
	for _, protocol := range protocols {
		b := r.named(t, protocol, "bob")
		if pid, told := result(t, call(t, b, "a__tell", `{}`)); pid == first || told != "nothing" {
			t.Errorf("%s: %s told %q, want another process than %s", protocol, pid, told, first)
		}
		if _, got := result(t, call(t, b, "a__ask", `{}`)); got != "bob" {
			t.Errorf("%s: %q, want the answer of bob", protocol, got)
		}
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if pid, got := result(t, soon(t, "the slow call", slow)); pid != first || got != "ada" {
		t.Errorf("the slow call: %s from %s", got, pid)
	}
	if pid, told := result(t, call(t, a, "a__tell", `{}`)); pid != first || told != "x" {
		t.Errorf("the client that was asked: told %q by %s, want %s", told, pid, first)
	}
}

// A server that allows one process at a time stays shared.
func TestOneProcessStaysShared(t *testing.T) {
	dir := t.TempDir()
	argv, env := starter.Command(starter.Options{Kind: starter.Handshake, Lock: filepath.Join(dir, "lock"),
		Log: filepath.Join(dir, "log")})
	r := isolated(t, wire.Target{Command: argv, Env: env}, upstream.Auto, 0, 0)
	r.processesOf("a").asked.Store(true)
	s := r.named(t, "2025-11-25", "ada")
	for range 2 {
		if got := call(t, s, "a__ping", `{}`); !strings.Contains(got, `"content"`) {
			t.Errorf("%s, want the result of the shared process", got)
		}
	}
	if got := starter.Events(filepath.Join(dir, "log")); got != "start start exit" {
		t.Errorf("the processes %q, want the second one tried once", got)
	}
}

// Two processes number their tasks alike; each client gets the result of its own.
func TestTasksOfProcesses(t *testing.T) {
	var mu sync.Mutex
	var workers []*worker
	r := isolated(t, wire.Target{Serve: func(ctx context.Context, in io.Reader, out io.Writer) error {
		w := &worker{}
		mu.Lock()
		workers = append(workers, w)
		mu.Unlock()
		return w.serve(ctx, in, out)
	}}, upstream.PerSession, 0, time.Millisecond)
	create := func(s *mcp.Session) string {
		ex, err := s.Call(t.Context(), "tools/call", json.RawMessage(`{"name":"a__work","task":{}}`))
		if err != nil || ex.Reply.Error != nil {
			t.Fatal(err, ex)
		}
		var created struct{ Task struct{ TaskID string } }
		_ = json.Unmarshal(ex.Reply.Result, &created)
		return created.Task.TaskID
	}
	a, b := r.dial(t, "2025-11-25", "ada", mcp.Options{Tasks: true}), r.dial(t, "2025-11-25", "bob",
		mcp.Options{Tasks: true})
	mine, other := create(a), create(b)
	mu.Lock()
	second := workers[2] // after the shared one and that of ada
	mu.Unlock()
	second.finish("1")
	state := func(s *mcp.Session, id string) string {
		ex, err := s.Call(t.Context(), "tasks/get", mcp.Object("taskId", id))
		if err != nil || ex.Reply.Error != nil {
			t.Fatal(err, ex)
		}
		return string(ex.Reply.Result)
	}
	if got := state(b, other); !strings.Contains(got, `"completed"`) {
		t.Errorf("the finished task: %s", got)
	}
	if got := state(a, mine); !strings.Contains(got, `"working"`) {
		t.Errorf("the other task: %s, want it to be unfinished, and its process to be there after its idle time", got)
	}
}

// Clients of 2026-07-28 have no session over HTTP. With auto, the requests of a caller share a process also after the
// server has asked a question: one call can depend on what another one did.
func TestRequestsOfACallerShareAProcess(t *testing.T) {
	r := isolated(t, keeper(), upstream.Auto, 0, 0)
	call(t, r.named(t, "2025-11-25", "ada"), "a__ask", `{}`)
	file := filepath.Join(t.TempDir(), "done")
	b := r.named(t, "2026-07-28", "bob")
	first, _ := result(t, call(t, b, "a__keep", `{"value":"x"}`))
	slow := make(chan string, 1)
	go func() { slow <- call(t, r.named(t, "2026-07-28", "bob"), "a__wait", `{"until":"`+file+`"}`) }()
	eventually(t, "the slow call", func() bool { return r.Health()[0].InFlight > 0 })
	if pid, told := result(t, call(t, b, "a__tell", `{}`)); pid != first || told != "x" {
		t.Errorf("%s told %q, want the state of %s", pid, told, first)
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if pid, _ := result(t, soon(t, "the slow call", slow)); pid != first {
		t.Errorf("the slow call ran in %s, want %s", pid, first)
	}
}
