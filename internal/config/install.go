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
)

// A Command is how a host is to start a server.
type Command struct {
	Program string
	Args    []string
}

// A Change is what installing a server does to a host's file. Nothing is written before Write.
type Change struct {
	File          string
	Before, After []byte
	Created       bool // the file does not exist yet
}

// A home is where a host keeps the servers of its user, and in which form.
type home struct {
	host string
	file func(System) string
	list string // the member that holds the servers; empty for TOML
	kind bool   // entries say their type
}

var homes = []home{
	{"claude-code", func(s System) string { return underHome(s, ".claude.json") }, "mcpServers", true},
	{"claude-desktop", func(s System) string { return underData(s, "Claude", "claude_desktop_config.json") }, "mcpServers", false},
	{"cursor", func(s System) string { return underHome(s, ".cursor", "mcp.json") }, "mcpServers", false},
	{"vscode", func(s System) string { return underData(s, "Code", "User", "mcp.json") }, "servers", true},
	{"windsurf", func(s System) string { return underHome(s, ".codeium", "windsurf", "mcp_config.json") }, "mcpServers", false},
	{"codex", func(s System) string { return underHome(s, ".codex", "config.toml") }, "", false},
}

// InstallHosts lists the hosts that Install knows.
func InstallHosts() []string {
	var names []string
	for _, h := range homes {
		names = append(names, h.host)
	}
	return names
}

// Install works out how to add a server under a key to the user's file of a host. An entry of that key is replaced; every
// other byte of the file stays, comments included.
func Install(sys System, host, key string, command Command) (*Change, error) {
	i := slices.IndexFunc(homes, func(h home) bool { return h.host == host })
	if i < 0 {
		return nil, fmt.Errorf("there is no host %q; want one of %s", host, strings.Join(InstallHosts(), ", "))
	}
	h := homes[i]
	change := &Change{File: h.file(sys)}
	if change.File == "" {
		return nil, fmt.Errorf("the home directory is not known, and with it the file of %s", host)
	}
	source, err := os.ReadFile(change.File)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		change.Created = true
	case err != nil:
		return nil, fmt.Errorf("read config %s: %w", change.File, unwrapPath(err))
	}
	change.Before = source
	if h.list == "" {
		change.After, err = installTOML(source, key, command)
	} else {
		change.After, err = installJSON(source, h.list, key, command, h.kind)
	}
	if err != nil {
		return nil, fmt.Errorf("change %s: %w; nothing was changed", change.File, err)
	}
	return change, nil
}

// Write puts the new file in place at once. A file that has changed since it was read is left alone.
func (c *Change) Write() error {
	path := c.File
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	now, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read %s: %w", c.File, unwrapPath(err))
	}
	if !bytes.Equal(now, c.Before) {
		return fmt.Errorf("%s has changed meanwhile; nothing was written", c.File)
	}
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return replace(path, c.After, mode)
}

func replace(path string, content []byte, mode fs.FileMode) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), ".mcptest-*")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name()) // gone after the rename
	_, err = temporary.Write(content)
	err = errors.Join(err, temporary.Chmod(mode), temporary.Sync(), temporary.Close())
	if err != nil {
		return err
	}
	return os.Rename(temporary.Name(), path)
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
