package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mcptest-dev/mcptest/internal/surface/cli"
)

func TestMain(m *testing.M) {
	testscript.Main(stateless{m}, map[string]func(){
		"mcptest": func() { os.Exit(cli.Main(cli.System())) },
	})
}

// stateless tests keep what the program keeps for its user in a folder that goes away.
type stateless struct{ *testing.M }

// Run runs the tests.
func (s stateless) Run() int {
	dir, err := os.MkdirTemp("", "mcptest-state")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Setenv("XDG_STATE_HOME", dir); err != nil {
		panic(err)
	}
	return s.M.Run()
}

// Each script is one behaviour of the command line, as a person would see it.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv("HOME", home)
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
			env.Setenv("XDG_STATE_HOME", filepath.Join(home, ".local", "state"))
			return os.MkdirAll(home, 0o755)
		},
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
	})
}
