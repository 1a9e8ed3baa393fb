package frontend

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// serveLedger is a server that writes the nonce of each call into a file before it answers, and its pid into another.
func serveLedger(file string) {
	ledger, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		os.Exit(1)
	}
	_ = os.WriteFile(file+".pid", []byte(strconv.Itoa(os.Getpid())), 0o600)
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		m := serve.Members(line)
		switch string(m["method"]) {
		case `"initialize"`:
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25",`+
				`"capabilities":{"tools":{}},"serverInfo":{"name":"ledger","version":"1"}}}`+"\n", m["id"])
		case `"tools/list"`:
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"note","inputSchema":{"type":"object"}}]}}`+
				"\n", m["id"])
		case `"tools/call"`:
			nonce := serve.Members(serve.Members(m["params"])["arguments"])["nonce"]
			_, _ = ledger.Write(append(nonce, '\n'))
			time.Sleep(3 * time.Millisecond) // most kills fall between the deed and the answer
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":%s}]}}`+"\n", m["id"],
				nonce)
		default:
			if m["id"] != nil {
				fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{}}`+"\n", m["id"])
			}
		}
	}
}

// stormKills is how often the server is killed, and stormCalls how many calls have to go well in all.
var stormKills = map[bool]int{false: 8, true: 50}[full]

const stormCalls = 100

// storming is how many clients there are.
const storming = 64

// Servers are killed again and again under load. Each call has exactly one answer, one that went well was carried out
// once, and one that failed at most once (E1).
func TestE1KillStorm(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := t.TempDir() + "/ledger"
	r := newRig(t, All, nil, map[string]wire.Target{"l": {Command: []string{self},
		Env: append(os.Environ(), ledgerMode+"="+file)}})
	var clients []*mcp.Session
	for i := range storming {
		clients = append(clients, r.dial(t, protocols[i%2], fmt.Sprint("caller", i), mcp.Options{}))
	}
	eventually(t, "the first call", func() bool {
		return strings.Contains(call(t, clients[0], "l__note",
			`{"nonce":"first"}`), "first")
	})

	var mu sync.Mutex
	outcomes := map[string]string{} // by nonce
	good := 0
	over := make(chan struct{}) // closed when it was killed often enough, however long that takes here
	raging := func() bool {
		select {
		case <-over:
			return false
		case <-t.Context().Done():
			return false
		default:
			return true
		}
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(over)
		rage(t, file+".pid", func() int { mu.Lock(); defer mu.Unlock(); return good })
	})
	for worker, client := range clients {
		wg.Go(func() {
			for i := 0; raging(); i++ {
				nonce := fmt.Sprintf("w%d-%d", worker, i)
				got := call(t, client, "l__note", `{"nonce":"`+nonce+`"}`)
				mu.Lock()
				if outcomes[nonce] != "" {
					t.Errorf("%s was answered twice", nonce)
				}
				outcomes[nonce] = got
				well := strings.Contains(got, nonce)
				if well {
					good++
				}
				mu.Unlock()
				if !well {
					time.Sleep(20 * time.Millisecond)
				}
			}
		})
	}
	wg.Wait()
	eventually(t, "a call after the storm", func() bool {
		return strings.Contains(call(t, clients[0], "l__note",
			`{"nonce":"last"}`), "last")
	})
	judge(t, file, outcomes)
}

// rage kills the process whose id is in the file, until it was killed often enough and enough calls went well. It is
// killed only if one went well since the last time: one that never comes up serves nobody, and on a slow machine that
// would not end.
func rage(t *testing.T, file string, good func() int) {
	for kills, before := 0, 0; t.Context().Err() == nil; {
		time.Sleep(300 * time.Millisecond)
		now := good()
		if kills >= stormKills && now >= stormCalls {
			return
		}
		if kills < stormKills && now > before && kill(file) {
			kills, before = kills+1, now
		}
	}
}

// kill kills the process whose id is in the file, if it is there.
func kill(file string) bool {
	raw, _ := os.ReadFile(file)
	pid, err := strconv.Atoi(string(raw))
	if err != nil {
		return false
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer func() { _ = process.Release() }()
	return process.Kill() == nil
}

// retryIn is when the gateway means to start the server again, as an error says it. What the machine takes to do so is
// not in it; upstream's TestRecoveryWithinASecond has the whole way on a clock of its own.
func retryIn(failure string) time.Duration {
	_, after, _ := strings.Cut(failure, "retrying in ")
	wait, _ := time.ParseDuration(after[:len(after)-len(strings.TrimLeft(after, "0123456789.hmsµn"))])
	return wait
}

func judge(t *testing.T, file string, outcomes map[string]string) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	executed := map[string]int{}
	for line := range strings.Lines(string(raw)) {
		var nonce string
		_ = json.Unmarshal([]byte(strings.TrimSpace(line)), &nonce)
		executed[nonce]++
	}
	good, unknown := 0, 0
	for nonce, got := range outcomes {
		switch ok := strings.Contains(got, `"text":"`+nonce+`"`); {
		case ok && executed[nonce] != 1:
			t.Errorf("%s went well and was carried out %d times", nonce, executed[nonce])
		case ok:
			good++
		case executed[nonce] > 1:
			t.Errorf("%s failed and was carried out %d times", nonce, executed[nonce])
		case !strings.Contains(got, "UpstreamError"):
			t.Errorf("%s: %s; want an UpstreamError", nonce, got)
		case retryIn(got) > time.Second:
			t.Errorf("%s: %s; want the server back within a second", nonce, got)
		default:
			unknown++
		}
	}
	t.Logf("%d calls went well, %d failed", good, unknown)
}

func TestRetryInIsRead(t *testing.T) {
	for text, want := range map[string]time.Duration{`down; retrying in 1.5s","x":1`: 1500 * time.Millisecond,
		"retrying in 400ms": 400 * time.Millisecond, "lost": 0} {
		if got := retryIn(text); got != want {
			t.Errorf("retryIn(%q) = %v, want %v", text, got, want)
		}
	}
}
