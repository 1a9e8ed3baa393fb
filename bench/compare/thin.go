package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mcptest-dev/mcptest/bench/processes"
)

// thinProxy is the module of the thin proxy, relative to the root of this one.
const thinProxy = "bench/mcpgo"

// mcpGo is the version of mcp-go that it is made with.
const mcpGo = "v1.2.1"

// A figure is a measure of a proxy, given its process.
type figure func(proxy int) measure

// plain is a figure that does not depend on the process.
func plain(m measure) figure { return func(int) measure { return m } }

// cpu is the CPU time for a call, n at a time, in microseconds. With whole, it includes the server behind the proxy.
// Other work on the machine changes it less than it changes times.
func cpu(n int, whole bool) figure {
	return func(proxy int) measure {
		return func(ctx context.Context, c call) (float64, error) {
			of := []int{proxy}
			if whole {
				of = processes.Family(proxy)
			}
			before, err := used(of)
			if err != nil {
				return 0, err
			}
			calls, _, err := repeat(ctx, n, c)
			if err != nil {
				return 0, err
			}
			after, err := used(of)
			return float64((after - before).Nanoseconds()) / 1000 / float64(calls), err
		}
	}
}

func used(of []int) (sum time.Duration, err error) {
	for _, pid := range of {
		one, err := processes.Time(pid)
		if err != nil {
			return 0, err
		}
		sum += one
	}
	return sum, nil
}

// single is how many calls a second are made, one at a time.
func single(ctx context.Context, c call) (float64, error) {
	calls, took, err := repeat(ctx, 1, c)
	return float64(calls) / took.Seconds(), err
}

// thin compares the gateway with the thin proxy of mcp-go. Each has its own server, in this mode of this program, and
// the same bare HTTP client before it, in a session of 2025-11-25. The gateway uses this revision with the server.
func thin(mode, protocol string, f figure) func(context.Context, *lab) (*pair, error) {
	return func(ctx context.Context, l *lab) (*pair, error) {
		proxy, err := l.thinProxy(ctx)
		if err != nil {
			return nil, err
		}
		config := filepath.Join(l.dir, mode+".json")
		text := fmt.Sprintf(`{"mcpServers":{"echo":{"command":%q,"args":[%q]}},"gateway":{"servers":{"echo":`+
			`{"protocol":%q}}}}`, l.self, mode, protocol)
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			return nil, err
		}
		p := &pair{}
		if p.ours, err = p.through(ctx, l, f, "echo__echo", l.mcptest, "gateway", "--config", config, "--listen",
			"127.0.0.1:0", "--open", "--store", filepath.Join(l.dir, mode+".db")); err == nil {
			p.theirs, err = p.through(ctx, l, f, "echo", proxy, l.self, mode)
		}
		if err != nil {
			p.stop()
			return nil, err
		}
		return p, nil
	}
}

// through starts a proxy and returns its figure. Its log goes to a file, as that of a service does.
func (p *pair) through(ctx context.Context, l *lab, f figure, tool string,
	argv ...string) (func(context.Context) (float64, error), error) {
	log, err := os.CreateTemp(l.dir, "log-")
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stderr = log
	url, err := p.serve(cmd)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(argv[0]), err)
	}
	c, err := p.post(ctx, url, tool)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(argv[0]), err)
	}
	return f(cmd.Process.Pid).of(c), nil
}

// post opens a session with bare HTTP, so that the client costs little, and waits until the tool can be called.
func (p *pair) post(ctx context.Context, url, tool string) (call, error) {
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	p.end = append(p.end, transport.CloseIdleConnections)
	session := ""
	send := func(ctx context.Context, body string) (answer []byte, err error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			return nil, err
		}
		req.Header = http.Header{"Content-Type": {"application/json"}, "Mcp-Protocol-Version": {revision},
			"Accept": {"application/json, text/event-stream"}}
		if session != "" {
			req.Header.Set("Mcp-Session-Id", session)
		}
		resp, err := transport.RoundTrip(req)
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		if session == "" {
			session = resp.Header.Get("Mcp-Session-Id")
		}
		return io.ReadAll(resp.Body)
	}
	for _, first := range []string{`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"` +
		revision + `","capabilities":{},"clientInfo":{"name":"compare","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`} {
		if _, err := send(ctx, first); err != nil {
			return nil, err
		}
	}
	var ids atomic.Int64
	c := func(ctx context.Context) error {
		answer, err := send(ctx, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,`+
			`"arguments":%s}}`, ids.Add(1), tool, arguments))
		if err == nil && !bytes.Contains(answer, []byte(`"text":"hello"`)) {
			err = fmt.Errorf("the answer is %s", answer)
		}
		return err
	}
	return c, await(ctx, c)
}

// await waits until a call succeeds.
func await(ctx context.Context, c call) error {
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		if err := c(ctx); err == nil || time.Now().After(end) {
			return err
		}
	}
}

// thinProxy builds the proxy once.
func (l *lab) thinProxy(ctx context.Context) (string, error) {
	binary := filepath.Join(l.dir, "mcpgo")
	if _, err := os.Stat(binary); err == nil {
		return binary, nil
	}
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}",
		"github.com/mcptest-dev/mcptest").Output()
	if err != nil {
		return "", fmt.Errorf("go list: %w", err)
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, ".")
	build.Dir = filepath.Join(strings.TrimSpace(string(out)), thinProxy)
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w: %s", thinProxy, err, lastLine(string(out)))
	}
	return binary, nil
}
