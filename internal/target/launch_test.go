package target_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/target"
)

func launchSystem(t *testing.T) target.System {
	t.Helper()
	sys, err := target.ThisSystem()
	if err != nil {
		t.Fatal(err)
	}
	if sys.Dir, err = filepath.EvalSymlinks(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	sys.GOOS = "linux"
	sys.LookPath = func(name string) (string, error) { return "/usr/bin/" + name, nil }
	return sys
}

// TestParseLaunch tells command lines and paths from names and URLs by the text alone, and rejects what a shell would
// execute or expand.
func TestParseLaunch(t *testing.T) {
	sys := launchSystem(t)
	for text, want := range map[string]string{
		"files": "name", "my.server": "name", "https://example.com/mcp": "name", "localhost:3000/mcp": "name",
		"demo": "name", "": "name", "cursor:files": "name", "--yes": "name", "touch\u00a0x": "name",
		"node server.js": "[node server.js]", `python3 "my server.py" -v`: "[python3] [my server.py] [-v]",
		`a\ b c`: "[a b] [c]", `a "x\"y\z"`: `[a] [x"y\z]`, "dist/index.js": "[node dist/index.js]",
		"server.go": "[go run server.go]", "node 'a;b|c$d' x": "[node] [a;b|c$d] [x]", "node ''": "[node] []",
		"server.py": "path server.py", "./a/../server.ts": "path server.ts", ".": "path .", "..": "path ..",
		`"my server.py"`: "path my server.py", "/bin/sh": "path /bin/sh", "node server.js --port=1": "[node server.js --port=1]",
		"./а.py": "path а.py",
		// what is rejected
		"node x; rm y": "; has no effect", "node x && y": "& has no effect", "a | b": "| has no effect",
		"a > b": "> has no effect", "a $HOME": "$ has no effect", `a "$HOME"`: "$ has no effect",
		"a `b`": "` has no effect", "a *.js": "* has no effect", "A=1 node x": "sets the variable A",
		"LD_PRELOAD=x.so node x": "sets the variable LD_PRELOAD", "-- node x": "starts with the option --",
		"--approve --yes": "starts with the option --approve", "'-c' x": "starts with the option -c",
		"~/x": "~ is not expanded", `sh "open`: "not closed", `a b\`: "not closed", `"" x`: "empty command",
		" ": "empty command", "node x\n  directory: /safe": "line break", "node x\u202egnp.js": "not visible",
		"node \u200bx": "not visible", "node\u00a0x y": "not visible", "a b\x00": "not visible", "a \xff": "not visible",
		"a " + strings.Repeat("b", 1000): "more than 1000 characters",
	} {
		l, err := target.ParseLaunch(sys, text)
		got := "name"
		switch {
		case err != nil:
			if !strings.Contains(err.Error(), want) {
				t.Errorf("ParseLaunch(%q): %v, want %s", text, err, want)
			}
			continue
		case l != nil && l.Command != nil && !strings.Contains(strings.Join(l.Command, ""), " ") && !strings.Contains(want, "] ["):
			got = "[" + strings.Join(l.Command, " ") + "]"
		case l != nil && l.Command != nil:
			got = "[" + strings.Join(l.Command, "] [") + "]"
		case l != nil:
			got = "path " + strings.TrimPrefix(l.Path, sys.Dir+"/")
			if l.Path == sys.Dir || l.Path == filepath.Dir(sys.Dir) {
				got = "path " + map[bool]string{true: ".", false: ".."}[l.Path == sys.Dir]
			}
		}
		if got != want {
			t.Errorf("ParseLaunch(%q) = %s, want %s", text, got, want)
		}
	}
	one, _ := target.ParseLaunch(sys, "node a b")
	if other, _ := target.ParseLaunch(sys, "node 'a b'"); one.ID() == other.ID() {
		t.Error("two commands have the same ID")
	}
}

// TestLaunchLines shows characters that look like others by their codes.
func TestLaunchLines(t *testing.T) {
	sys := launchSystem(t)
	for _, text := range []string{"./аpp.py", "node аpp.js"} { // the letter is Cyrillic
		l, err := target.ParseLaunch(sys, text)
		if err != nil {
			t.Fatal(err)
		}
		all := ""
		for _, line := range l.Lines() {
			all += line.Text() + "\n"
		}
		if !strings.Contains(all, `\u0430pp`) {
			t.Errorf("the question for %q is:\n%s", text, all)
		}
	}
}

// TestLaunchResolve returns how a server is started that is named by its script or folder.
func TestLaunchResolve(t *testing.T) {
	sys := launchSystem(t)
	for path, text := range map[string]string{
		"server.py": "", "own/src/server.py": "", "own/.venv/bin/python": "", "own/pyproject.toml": "", "server.ts": "",
		"with/server.ts": "", "with/node_modules/.bin/tsx": "", "go/go.mod": "module x", "go/main.go": "package main\n",
		"cmds/go.mod": "module x", "cmds/lib.go": "package lib", "cmds/cmd/one/main.go": "package main",
		"py/pyproject.toml": "", "py/server.py": "", "node/package.json": `{"bin":{"x":"dist/index.js"}}`,
		"node/dist/index.js": "", "start/package.json": `{"scripts":{"start":"tsx src/i.ts"}}`,
		"start/node_modules/.bin/tsx": "", "shell/package.json": `{"scripts":{"start":"a && b"}}`,
		"plain.txt": "", "empty/readme": "", "lib/go.mod": "module x",
		"script/pyproject.toml": "[project.scripts]\nserve = \"x.y:main\"\n", "script/.venv/bin/python": "",
		"script/.venv/bin/serve": "",
	} {
		file := filepath.Join(sys.Dir, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"link.py": "own/src/server.py", "linked": "go"} {
		if err := os.Symlink(to, filepath.Join(sys.Dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"server.py": " python3 server.py", "./server.py": " python3 server.py",
		"own/src/server.py": " own/.venv/bin/python own/src/server.py",
		"link.py":           " own/.venv/bin/python own/src/server.py", // what is started, not the link
		"server.ts":         " node server.ts", "with/server.ts": " with/node_modules/.bin/tsx with/server.ts",
		"./go": "go go run .", "linked/": "go go run .", "./cmds": "cmds go run ./cmd/one", "./lib": "",
		"./py": "py python3 py/server.py", "./node": "node node node/dist/index.js",
		"./start": "start start/node_modules/.bin/tsx src/i.ts", "./shell": "", "./script": "script script/.venv/bin/serve",
		"./plain.txt": "", "./empty": "", "nothing.py": "", "./nothing": "", "/dev/null": "",
	} {
		l, err := target.ParseLaunch(sys, name)
		if err != nil || l == nil {
			t.Fatalf("ParseLaunch(%q): %v, %v", name, l, err)
		}
		got := ""
		if found, err := l.Resolve(sys); err == nil {
			dir := strings.TrimPrefix(strings.TrimPrefix(found.Target.Dir, sys.Dir), "/")
			got = dir + " " + strings.ReplaceAll(strings.Join(found.Target.Command, " "), sys.Dir+"/", "")
		}
		if got != want {
			t.Errorf("Resolve(%q) = %q, want %q", name, got, want)
		}
	}
}
