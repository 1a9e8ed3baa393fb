package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// --transcript and --trace have what crosses on both sides of the gateway: the clients' frames and each server's.
func TestGatewayRecordsFrames(t *testing.T) {
	file := filepath.Join(t.TempDir(), "frames.jsonl")
	g := startGateway(t, oneDemo, "--open", "--store", "memory", "--transcript", file, "--trace")
	g.ready(t, "s3cret-token", "demo__echo")
	g.stop(t)
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	frames := string(raw)
	for _, want := range []string{`"clients/post-1"`, `demo/stdio`, `demo__echo`, `\"name\":\"echo\"`, `"status":200`} {
		if !strings.Contains(frames, want) {
			t.Errorf("the transcript has no %s:\n%.4000s", want, frames)
		}
	}
	for _, want := range []string{"clients/post-1", "demo/stdio", `"name":"echo"`} {
		if !strings.Contains(g.log.String(), want) {
			t.Errorf("the trace has no %s:\n%.4000s", want, g.log)
		}
	}
	if strings.Contains(frames+g.log.String(), "s3cret-token") {
		t.Error("the token of a client is in the transcript or the trace")
	}
	binary, err := build()
	if err != nil {
		t.Fatal(err)
	}
	if shown, err := exec.Command(binary, "transcript", file).CombinedOutput(); err != nil ||
		!strings.Contains(string(shown), "tools/call") {
		t.Errorf("mcptest transcript: %v %s", err, shown)
	}
}

// The frames of a client on standard input and output are recorded as well.
func TestGatewayRecordsLines(t *testing.T) {
	binary, err := build()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	config, file := filepath.Join(dir, "mcp.json"), filepath.Join(dir, "frames.jsonl")
	if err := os.WriteFile(config, []byte(`{"mcpServers":{}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(context.Background(), binary, "gateway", "--config", config, "--store", "memory",
		"--transcript", file)
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":7,"method":"ping"}` + "\n")
	out, err := cmd.Output()
	if err != nil || !strings.Contains(string(out), `"id":7`) {
		t.Fatalf("%v %s", err, out)
	}
	raw, err := os.ReadFile(file)
	if err != nil || strings.Count(string(raw), "clients/stdio") != 2 || !strings.Contains(string(raw), "ping") {
		t.Errorf("the transcript is %s (%v), want the request and the response", raw, err)
	}
}

// A token file that every user can read is warned about, with the command that changes it.
func TestGatewayTokenFileForAll(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: files have no modes there")
	}
	file := filepath.Join(t.TempDir(), "token")
	for _, mode := range []os.FileMode{0o644, 0o600} {
		if err := os.WriteFile(file, []byte("0123456789abcdef"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		g := startGateway(t, oneDemo, "--store", "memory", "--token-file", file)
		g.stop(t) // all of the log is here then
		warned := strings.Contains(g.log.String(), "chmod 600 "+file)
		if warned != (mode == 0o644) {
			t.Errorf("mode %o: warned: %v\n%s", mode, warned, g.log)
		}
	}
}
