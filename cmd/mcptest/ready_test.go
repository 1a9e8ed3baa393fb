package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestReadyScripts runs the scripts about packages that serve HTTP, and about images; $PORT is free, and
// $TAKEN is not.
func TestReadyScripts(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = taken.Close() })
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "ready"),
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv("HOME", home)
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				return err
			}
			env.Setenv("PORT", portOf(l))
			env.Setenv("TAKEN", portOf(taken))
			if err := l.Close(); err != nil {
				return err
			}
			return os.MkdirAll(home, 0o755)
		},
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
	})
}

func portOf(l net.Listener) string { return fmt.Sprint(l.Addr().(*net.TCPAddr).Port) }
