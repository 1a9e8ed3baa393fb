package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mcptest-dev/mcptest/internal/surface/cli"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"mcptest":  func() { os.Exit(cli.Main(cli.System())) },
		"xdg-open": agree, // what opens a browser on Linux
		"open":     agree, // and on macOS
	})
}

// Each script is one behaviour of the command line, as a person would see it.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv("HOME", home)
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
			return os.MkdirAll(home, 0o755)
		},
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
	})
}
