package config

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/files"
)

// A location is the file in which a host stores its servers.
type location struct {
	file  string
	host  string
	scope Scope
	root  string // the project's directory, or the working directory for the user's files
	dir   string // the working directory
	goos  string
	must  bool // the user named the file, so it must contain servers
}

// locations lists every file that a host would read in this directory, those of the project first.
func locations(sys System) []location {
	var all []location
	add := func(host string, scope Scope, root string, parts ...string) {
		if parts[0] == "" {
			return
		}
		all = append(all, location{file: filepath.Join(parts...), host: host, scope: scope, root: root, dir: sys.Dir,
			goos: sys.GOOS})
	}
	for _, dir := range projectDirs(sys) {
		add("claude-code", Project, dir, dir, ".mcp.json")
		add("mcp.json", Project, dir, dir, "mcp.json")
		add("vscode", Project, dir, dir, ".vscode", "mcp.json")
		add("cursor", Project, dir, dir, ".cursor", "mcp.json")
	}
	add("claude-code", User, sys.Dir, sys.Home, ".claude.json")
	add("claude-desktop", User, sys.Dir, appData(sys), "Claude", "claude_desktop_config.json")
	add("vscode", User, sys.Dir, appData(sys), "Code", "User", "mcp.json")
	add("cursor", User, sys.Dir, sys.Home, ".cursor", "mcp.json")
	add("windsurf", User, sys.Dir, sys.Home, ".codeium", "windsurf", "mcp_config.json")
	add("gemini", User, sys.Dir, sys.Home, ".gemini", "settings.json")
	add("codex", User, sys.Dir, codexFile(sys))
	return all
}

// projectDirs lists the working directory and, inside a repository, its parent directories up to the repository root.
// The home directory is not a project unless it is the working directory. A repository of another user does not count:
// anyone could create one in a folder such as /tmp.
func projectDirs(sys System) []string {
	var dirs []string
	for dir := sys.Dir; dir != ""; dir = filepath.Dir(dir) {
		dirs = append(dirs, dir)
		if info, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			if !files.Trusted(info) && !sameOwner(info, sys.Dir) {
				break
			}
			return dirs
		}
		if dir == sys.Home || dir == filepath.Dir(dir) {
			break
		}
	}
	return dirs[:min(1, len(dirs))]
}

// sameOwner reports whether a folder belongs to the owner of a file, as in a container that runs as another user.
func sameOwner(info fs.FileInfo, dir string) bool {
	own, err := os.Stat(dir)
	if err != nil {
		return false
	}
	a, known := files.Owner(info)
	b, _ := files.Owner(own)
	return known && a == b
}

// codexFile is the config file of Codex.
func codexFile(sys System) string {
	if dir, set := sys.Lookup("CODEX_HOME"); set && filepath.IsAbs(dir) {
		return filepath.Join(dir, "config.toml")
	}
	return underHome(sys, ".codex", "config.toml")
}

// appData is the directory in which programs on this system store their settings.
func appData(sys System) string {
	lookup := func(name string, fallback ...string) string {
		if value, set := sys.Lookup(name); set && filepath.IsAbs(value) {
			return value
		}
		if sys.Home == "" {
			return ""
		}
		return filepath.Join(append([]string{sys.Home}, fallback...)...)
	}
	switch sys.GOOS {
	case "windows":
		return lookup("APPDATA", "AppData", "Roaming")
	case "darwin":
		if sys.Home == "" {
			return ""
		}
		return filepath.Join(sys.Home, "Library", "Application Support")
	}
	return lookup("XDG_CONFIG_HOME", ".config")
}

// sameDir compares a directory in a file with ours; on Windows there are two separators, and case is ignored.
func (p location) sameDir(a, b string) bool {
	if p.goos == "windows" {
		a, b = strings.ReplaceAll(a, `\`, "/"), strings.ReplaceAll(b, `\`, "/")
		return strings.EqualFold(strings.TrimRight(a, "/"), strings.TrimRight(b, "/"))
	}
	return filepath.Clean(a) == filepath.Clean(b)
}
