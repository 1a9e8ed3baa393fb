package timeout

import (
	"strings"
	"testing"
	"time"
)

func TestStart(t *testing.T) {
	for command, want := range map[string]time.Duration{
		"":                         10 * time.Second,
		"./server":                 10 * time.Second,
		"npx -y server":            Launcher,
		"/usr/bin/npx server":      Launcher,
		"NPX.cmd":                  10 * time.Second,
		"npx.cmd server":           Launcher,
		"docker run -i --rm image": Launcher,
		"npm exec server":          Launcher,
		"npm start":                10 * time.Second,
		"uv run server.py":         Launcher,
		"uv --version":             10 * time.Second,
		"bun server.ts":            10 * time.Second,
	} {
		if got := Start(10*time.Second, strings.Fields(command)); got != want {
			t.Errorf("Start(10s, %q) = %v, want %v", command, got, want)
		}
	}
	if got := Start(time.Hour, []string{"npx"}); got != time.Hour {
		t.Errorf("Start(1h, npx) = %v, want 1h", got)
	}
	if got := Start(0, []string{"server"}); got != Default {
		t.Errorf("Start(0, server) = %v, want %v", got, Default)
	}
}
