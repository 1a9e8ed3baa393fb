package timeout

import (
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Launcher is the least time to start that a launcher has: it may have to download the server first.
const Launcher = 2 * time.Minute

// launchers are programs that may install a server before they run it. Some do so in a subcommand only.
var launchers = map[string][]string{
	"npx": nil, "bunx": nil, "uvx": nil, "pipx": nil, "docker": nil, "podman": nil,
	"npm": {"exec", "x"}, "pnpm": {"dlx", "exec"}, "yarn": {"dlx"}, "bun": {"x"}, "uv": {"run", "tool"},
	"deno": {"run"},
}

// Start returns how long the process of a command may take until its first response, given the request timeout.
func Start(limit time.Duration, command []string) time.Duration {
	limit = Or(limit)
	if IsLauncher(command) {
		return max(limit, Launcher)
	}
	return limit
}

// IsLauncher reports whether the command may have to download the server before it runs it.
func IsLauncher(command []string) bool {
	if len(command) == 0 {
		return false
	}
	subcommands, known := launchers[Program(command)]
	return known && (subcommands == nil || slices.ContainsFunc(command[1:], func(word string) bool {
		return slices.Contains(subcommands, word)
	}))
}

// Program returns the name of the program that a command starts, without its directory and extension.
func Program(command []string) string {
	name := filepath.Base(command[0])
	for _, extension := range []string{".exe", ".cmd", ".bat"} {
		if len(name) > len(extension) && strings.EqualFold(name[len(name)-len(extension):], extension) {
			return name[:len(name)-len(extension)]
		}
	}
	return name
}
