package wire

import (
	"os"
	"slices"
	"strings"
)

// inherited lists the variables that every child inherits. The user passes any others that a server needs.
var inherited = []string{"HOME", "LANG", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "USER",
	// Programs on Windows do not start without these.
	"APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROCESSOR_ARCHITECTURE", "PROGRAMDATA",
	"PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE", "WINDIR"}

// BaseEnv returns the part of our environment that a child may see: its program path, home and locale, and no
// secret.
func BaseEnv() []string {
	env := []string{}
	for _, pair := range os.Environ() {
		name, _, _ := strings.Cut(pair, "=")
		if name = strings.ToUpper(name); slices.Contains(inherited, name) || strings.HasPrefix(name, "LC_") {
			env = append(env, pair)
		}
	}
	return env
}

func (t Target) env() []string {
	if t.Env == nil {
		return BaseEnv()
	}
	return t.Env
}

// getenv reads a variable of the child's environment; the last one takes precedence.
func (t Target) getenv(name string) string {
	for _, pair := range slices.Backward(t.env()) {
		if key, value, _ := strings.Cut(pair, "="); strings.EqualFold(key, name) {
			return value
		}
	}
	return ""
}
