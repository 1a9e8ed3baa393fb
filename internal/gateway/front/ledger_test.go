package front

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
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"ledger","version":"1"}}}`+"\n", m["id"])
		case `"tools/list"`:
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"note","inputSchema":{"type":"object"}}]}}`+"\n", m["id"])
		case `"tools/call"`:
			nonce := serve.Members(serve.Members(m["params"])["arguments"])["nonce"]
			_, _ = ledger.Write(append(nonce, '\n'))
			time.Sleep(3 * time.Millisecond) // most kills fall between the deed and the answer
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":%s}]}}`+"\n", m["id"], nonce)
		default:
			if m["id"] != nil {
				fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{}}`+"\n", m["id"])
			}
		}
	}
}

// stormTime is how long the servers are killed for.
var stormTime = map[bool]time.Duration{false: 4 * time.Second, true: 15 * time.Second}[full]

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
	r := newRig(t, All, nil, map[string]wire.Target{"l": {Command: []string{self}, Env: append(os.Environ(), ledgerMode+"="+file)}})
	var clients []*mcp.Session
	for i := range storming {
		clients = append(clients, r.dial(t, protocols[i%2], fmt.Sprint("caller", i), mcp.Options{}))
	}
	eventually(t, "the first call", func() bool { return strings.Contains(call(t, clients[0], "l__note", `{"nonce":"first"}`), "first") })

	var mu sync.Mutex
	outcomes := map[string]string{} // by nonce
	kills := 0
	var wg sync.WaitGroup
	end := time.Now().Add(stormTime)
	wg.Go(func() {
		for time.Now().Before(end) {
			time.Sleep(300 * time.Millisecond)
			raw, _ := os.ReadFile(file + ".pid")
			pid, err := strconv.Atoi(string(raw))
			if err != nil {
				continue
			}
			process, err := os.FindProcess(pid)
			if err != nil {
				continue
			}
			if process.Kill() == nil {
				kills++
			}
			_ = process.Release()
		}
	})
	for worker, client := range clients {
		wg.Go(func() {
			for i := 0; time.Now().Before(end); i++ {
				nonce := fmt.Sprintf("w%d-%d", worker, i)
				got := call(t, client, "l__note", `{"nonce":"`+nonce+`"}`)
				mu.Lock()
				if outcomes[nonce] != "" {
					t.Errorf("%s was answered twice", nonce)
				}
				outcomes[nonce] = got
				mu.Unlock()
				if !strings.Contains(got, nonce) {
					time.Sleep(20 * time.Millisecond)
				}
			}
		})
	}
	wg.Wait()
	eventually(t, "a call after the storm", func() bool { return strings.Contains(call(t, clients[0], "l__note", `{"nonce":"last"}`), "last") })
	judge(t, file, outcomes, kills)
}

func judge(t *testing.T, file string, outcomes map[string]string, kills int) {
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
		default:
			unknown++
		}
	}
	t.Logf("%d kills, %d calls went well, %d failed", kills, good, unknown)
	if kills < 5 || good < 100 {
		t.Errorf("%d kills and %d good calls are no storm", kills, good)
	}
}
