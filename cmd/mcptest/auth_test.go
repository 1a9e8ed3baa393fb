package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mcptest-dev/mcptest/testservers/oauth"
)

// agree is the browser of a person who agrees to everything: it goes where it is sent.
func agree() {
	resp, err := http.Get(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
}

// TestAuthScripts runs the scripts of mcptest auth against a pair of servers; $OAUTH/FAULT/mcp is one with a fault.
func TestAuthScripts(t *testing.T) {
	t.Parallel()
	server := oauth.Start(t)
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "auth"),
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv("HOME", home)
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
			env.Setenv("OAUTH", server.Origin())
			env.Setenv("KNOWN_SECRET", oauth.KnownSecret)
			return os.MkdirAll(home, 0o755)
		},
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
	})
}
