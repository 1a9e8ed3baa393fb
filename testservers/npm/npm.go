// Package npm finds the pinned servers and the official conformance suite that `npm ci` installs in this folder.
package npm

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// An Install is the result of `npm ci`.
type Install struct {
	Node string // a Node version that supports all packages
	dir  string // node_modules
}

// Require returns the installation. Without it the test is skipped, or fails if MCPTEST_REQUIRE_NPM is set.
func Require(t testing.TB) Install {
	t.Helper()
	in, ok := Find()
	if ok {
		return in
	}
	const missing = "skipped: requires Node and `npm ci` in testservers/npm"
	if os.Getenv("MCPTEST_REQUIRE_NPM") != "" {
		t.Fatal(missing)
	}
	t.Skip(missing)
	return Install{}
}

// Find looks next to this source file, and uses the Node that is pinned there or else the installed one.
func Find() (Install, bool) {
	_, here, _, _ := runtime.Caller(0)
	in := Install{dir: filepath.Join(filepath.Dir(here), "node_modules")}
	if _, err := os.Stat(in.Script("conformance")); err != nil {
		return in, false
	}
	pinned, err := exec.LookPath(filepath.Join(in.dir, "node", "bin", "node"))
	if err == nil {
		in.Node = pinned
		return in, true
	}
	in.Node, err = exec.LookPath("node")
	return in, err == nil
}

// Script is the program of an official package, such as "server-everything".
func (in Install) Script(name string) string {
	return filepath.Join(in.dir, "@modelcontextprotocol", name, "dist", "index.js")
}

// Modules is the folder of the packages.
func (in Install) Modules() string { return in.dir }
