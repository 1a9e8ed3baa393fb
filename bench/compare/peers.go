package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// pinned are the packages that are measured beside mcptest. Node is one of them, since they need a newer one than many
// machines have.
var pinned = map[string]string{
	"@modelcontextprotocol/inspector": "2.12.0",
	"mcporter":                        "0.12.3",
	"mcp-hub":                         "4.2.1",
	"mcp-proxy":                       "6.7.19",
	"node":                            "24.21.0",
}

// npm installs the packages once, and returns the folder of their commands.
func (l *lab) npm(ctx context.Context) (string, error) {
	folder := filepath.Join(l.dir, "npm")
	if !l.installed {
		l.installed, l.packages = true, install(ctx, folder)
	}
	return filepath.Join(folder, "node_modules", ".bin"), l.packages
}

func install(ctx context.Context, folder string) error {
	if _, err := exec.LookPath("npm"); err != nil {
		return errors.New("there is no npm")
	}
	manifest, err := json.Marshal(map[string]any{"name": "peers", "private": true, "dependencies": pinned,
		"allowScripts": map[string]bool{"node": true}})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "package.json"), manifest, 0o644); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund")
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm install: %w: %s", err, lastLine(string(out)))
	}
	return nil
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// withNode is the environment in which packages find the Node that was installed with them.
func withNode(bin string, l *lab) []string {
	return append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+l.dir,
		"XDG_CONFIG_HOME="+l.dir, "XDG_STATE_HOME="+l.dir)
}
