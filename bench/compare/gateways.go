package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A rival is a gateway of somebody else's: how it is started, where it is then, and what it calls the tool.
type rival struct {
	command func(l *lab, config, port string) []string
	kind    wire.Kind
	tool    string
	ours    []string // the flags by which ours does the same
	ourTool string
}

var (
	hub = rival{kind: wire.HTTPWithSSE, tool: "echo__echo", ourTool: "echo__echo", ours: []string{"--store", "memory"},
		command: func(_ *lab, config, port string) []string {
			return []string{"mcp-hub", "--port", port, "--config", config}
		}}
	proxy = rival{tool: "echo", ourTool: "echo", ours: []string{"--transparent"},
		command: func(l *lab, _, port string) []string {
			return []string{"mcp-proxy", "--host", "127.0.0.1", "--port", port, "--server", "stream", "--", l.self,
				echoMode}
		}}
)

// gateways compares calls through gateways, with the same client before them and the same server behind.
func gateways(r rival, m measure) func(context.Context, *lab) (*pair, error) {
	return func(ctx context.Context, l *lab) (*pair, error) {
		bin, err := l.npm(ctx)
		if err != nil {
			return nil, err
		}
		p := &pair{}
		our, their, err := r.start(ctx, l, bin, p)
		if err != nil {
			p.stop()
			return nil, err
		}
		p.ours, p.theirs = m.of(our), m.of(their)
		return p, nil
	}
}

func (r rival) start(ctx context.Context, l *lab, bin string, p *pair) (our, their call, err error) {
	config := filepath.Join(l.dir, "mcp.json")
	text := fmt.Sprintf(`{"mcpServers":{"echo":{"command":%q,"args":[%q]}}}`, l.self, echoMode)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return nil, nil, err
	}
	url, err := p.serve(exec.Command(l.mcptest,
		append([]string{"gateway", "--config", config, "--listen", "127.0.0.1:0", "--open"}, r.ours...)...))
	if err != nil {
		return nil, nil, err
	}
	if our, err = p.ready(ctx, wire.Target{Name: "gateway", URL: url}, r.ourTool); err != nil {
		return nil, nil, fmt.Errorf("mcptest gateway: %w", err)
	}
	port, err := freePort()
	if err != nil {
		return nil, nil, err
	}
	argv := r.command(l, config, port)
	cmd := exec.Command(filepath.Join(bin, argv[0]), argv[1:]...)
	cmd.Env, cmd.Dir = withNode(bin, l), l.dir
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	p.end = append(p.end, func() {
		_ = cmd.Process.Signal(os.Interrupt)
		time.AfterFunc(5*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
	})
	if their, err = p.ready(ctx, wire.Target{Name: argv[0], URL: "http://127.0.0.1:" + port + "/mcp", Kind: r.kind},
		r.tool); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", argv[0], err)
	}
	return our, their, nil
}

// ready waits until the tool can be called.
func (p *pair) ready(ctx context.Context, at wire.Target, tool string) (call, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		c, err := p.our(context.WithoutCancel(ctx), at, tool)
		if err == nil {
			if err = c(ctx); err == nil {
				return c, nil
			}
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// serve starts a program that prints the URL that it serves.
func (p *pair) serve(cmd *exec.Cmd) (string, error) {
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	p.end = append(p.end, func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return "", err
	}
	at := strings.Index(line, "http://")
	if at < 0 {
		return "", errors.New("no address in " + line)
	}
	return strings.Fields(line[at:])[0], nil
}

func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, err
}
