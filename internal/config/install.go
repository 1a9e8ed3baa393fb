package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/files"
)

// A Command is the command with which a host starts a server.
type Command struct {
	Program string
	Args    []string
}

// A Change is the change of a host's file that installs a server. Nothing is written before Write.
type Change struct {
	File          string
	Before, After []byte
	Created       bool // the file does not exist yet
}

// A home is the file in which a host stores the servers of its user, and its format.
type home struct {
	host string
	file func(System) string
	list string // the key of the servers; empty for TOML
	kind bool   // entries have a type
}

var homes = []home{
	{"claude-code", func(s System) string { return underHome(s, ".claude.json") }, "mcpServers", true},
	{"claude-desktop", func(s System) string { return underData(s, "Claude", "claude_desktop_config.json") },
		"mcpServers", false},
	{"cursor", func(s System) string { return underHome(s, ".cursor", "mcp.json") }, "mcpServers", false},
	{"vscode", func(s System) string { return underData(s, "Code", "User", "mcp.json") }, "servers", true},
	{"windsurf", func(s System) string { return underHome(s, ".codeium", "windsurf", "mcp_config.json") }, "mcpServers",
		false},
	{"gemini", func(s System) string { return underHome(s, ".gemini", "settings.json") }, "mcpServers", false},
	{"codex", codexFile, "", false},
}

// InstallHosts lists the hosts that Install supports.
func InstallHosts() []string {
	var names []string
	for _, h := range homes {
		names = append(names, h.host)
	}
	return names
}

// Install prepares the addition of a server under a key to the user's file of a host. An existing entry with that key
// is replaced; every other byte of the file stays unchanged, including comments.
func Install(sys System, host, key string, command Command) (*Change, error) {
	i := slices.IndexFunc(homes, func(h home) bool { return h.host == host })
	if i < 0 {
		return nil, fmt.Errorf("unknown host %q, expected one of %s", host, strings.Join(InstallHosts(), ", "))
	}
	h := homes[i]
	change := &Change{File: h.file(sys)}
	if change.File == "" {
		return nil, fmt.Errorf("cannot find the config file of %s: home directory unknown", host)
	}
	source, err := os.ReadFile(change.File)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		change.Created = true
	case err != nil:
		return nil, fmt.Errorf("cannot read config %s: %w", change.File, unwrapPath(err))
	}
	change.Before = source
	if h.list == "" {
		change.After, err = installTOML(source, key, command)
	} else {
		change.After, err = installJSON(source, h.list, key, command, h.kind)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot change %s: %w; nothing was changed", change.File, err)
	}
	return change, nil
}

// Write replaces the file atomically. A file that has changed since it was read is not modified.
func (c *Change) Write() error {
	path := c.File
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	now, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot read %s: %w", c.File, unwrapPath(err))
	}
	if !bytes.Equal(now, c.Before) {
		return fmt.Errorf("%s has changed since it was read; nothing was written", c.File)
	}
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return files.Replace(path, c.After, mode)
}

func underHome(sys System, parts ...string) string {
	if sys.Home == "" {
		return ""
	}
	return filepath.Join(append([]string{sys.Home}, parts...)...)
}

func underData(sys System, parts ...string) string {
	data := appData(sys)
	if data == "" {
		return ""
	}
	return filepath.Join(append([]string{data}, parts...)...)
}
