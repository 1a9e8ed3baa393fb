package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// commands compares how long a command takes that lists the tools of a server, which each of them starts itself.
func commands(name string, arguments func(server []string) []string) func(context.Context, *lab) (*pair, error) {
	return func(ctx context.Context, l *lab) (*pair, error) {
		bin, err := l.npm(ctx)
		if err != nil {
			return nil, err
		}
		server := []string{l.self, echoMode}
		ours := append([]string{l.mcptest, "tools", "list", "--json", "--"}, server...)
		theirs := append([]string{filepath.Join(bin, name)}, arguments(server)...)
		env := withNode(bin, l)
		return &pair{
			ours:   func(ctx context.Context) (float64, error) { return duration(ctx, ours, env, l.dir) },
			theirs: func(ctx context.Context) (float64, error) { return duration(ctx, theirs, env, l.dir) },
		}, nil
	}
}

// duration is how long a command takes that must name the tool echo, in milliseconds.
func duration(ctx context.Context, argv, env []string, dir string) (float64, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env, cmd.Dir = env, dir
	start := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(start)
	if err != nil || !strings.Contains(string(out), "echo") {
		return 0, fmt.Errorf("%s: %v: %s", filepath.Base(argv[0]), err, lastLine(string(out)))
	}
	return float64(took.Microseconds()) / 1000, nil
}
