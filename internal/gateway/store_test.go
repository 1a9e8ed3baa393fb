package gateway

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/config"
	"github.com/mcptest-dev/mcptest/internal/target"
)

// Each system has its own place for what a program keeps; each config has a file of its own there.
func TestDefaultStore(t *testing.T) {
	home := t.TempDir()
	system := func(goos, home string, environment ...string) target.System {
		return target.System{System: config.System{GOOS: goos, Home: home, Dir: filepath.Join(home, "project"),
			Lookup: func(name string) (string, bool) {
				for i := 0; i < len(environment); i += 2 {
					if environment[i] == name {
						return environment[i+1], true
					}
				}
				return "", false
			}}}
	}
	for _, test := range []struct {
		sys  target.System
		want string
	}{
		{system("linux", home), "/.local/state/mcptest/catalog.db"},
		{system("linux", home, "XDG_STATE_HOME", filepath.Join(home, "state")), "/state/mcptest/catalog.db"},
		{system("linux", home, "XDG_STATE_HOME", "relative"), "/.local/state/mcptest/catalog.db"},
		{system("darwin", home), "/Library/Application Support/mcptest/catalog.db"},
		{system("windows", home), "/AppData/Local/mcptest/catalog.db"},
		{system("windows", home, "LocalAppData", filepath.Join(home, "Local")), "/Local/mcptest/catalog.db"},
	} {
		got, err := DefaultStore(test.sys, "")
		if want := filepath.Join(home, filepath.FromSlash(test.want)); got != want || err != nil {
			t.Errorf("DefaultStore on %s = %q (%v), want %q", test.sys.GOOS, got, err, want)
		}
	}
	if _, err := DefaultStore(system("linux", ""), ""); err == nil {
		t.Error("DefaultStore without a home directory: no error")
	}
	sys := system("linux", home)
	one, _ := DefaultStore(sys, "mcp.json")
	same, _ := DefaultStore(sys, filepath.Join(home, "project", "mcp.json"))
	other, _ := DefaultStore(sys, "../mcp.json")
	if one != same || one == other || !strings.HasPrefix(filepath.Base(one), "mcp-") ||
		!strings.HasPrefix(filepath.Base(other), "mcp-") {
		t.Errorf("DefaultStore of one config = %q and %q, of another %q; want the same twice, and another", one, same,
			other)
	}
}
