package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const smallSuite = "servers: {s: demo}\ntools: [{tool: echo, args: {message: hi}, expect: {equals: hi}}]\n"

func saved(suite, file, more string) string {
	text, _ := json.Marshal(suite)
	name, _ := json.Marshal(file)
	return fmt.Sprintf(`{"suite":%s,"file":%s%s}`, text, name, more)
}

// TestSaveSuite writes a suite after the user has seen it, and replaces a file only if that was asked for.
func TestSaveSuite(t *testing.T) {
	for era, revision := range eras {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			p := &person{answer: "no"}
			c := u.asked(revision, p.reply)
			file := filepath.Join(u.home, "tests", "first.yaml")
			content := func(want string) {
				t.Helper()
				if got, _ := os.ReadFile(file); string(got) != want {
					t.Errorf("the file has %q, want %q", got, want)
				}
			}
			c.call("save_suite", saved(smallSuite, "tests/first.yaml", "")).fails("connection_failed").
				has("/error/details/reason", "declined")
			question := p.questions(t, 1)
			for _, part := range []string{"file: " + file, "existing file: is not replaced", "1: servers: {s: demo}",
				"expect: {equals: hi}"} {
				if !strings.Contains(question, part) {
					t.Errorf("the question does not have %q:\n%s", part, question)
				}
			}
			content("")
			p.answer = "session"
			c.call("save_suite", saved(smallSuite, "tests/first.yaml", "")).ok().has("/file", file).has("/tests", "1")
			content(smallSuite)
			p.questions(t, 1)
			changed := strings.ReplaceAll(smallSuite, "hi", "ho")
			c.call("save_suite", saved(changed, "tests/first.yaml", "")).fails("invalid_arguments").
				contains("/error/message", "already exists")
			content(smallSuite)
			c.call("save_suite", saved(changed, "tests/first.yaml", `,"replace":true`)).ok()
			content(changed)
			if question := p.questions(t, 2); !strings.Contains(question, "existing file: is replaced") {
				t.Errorf("the question is %s", question)
			}
			c.call("save_suite", saved("tools: [{tol: x}]", "x.yaml", "")).fails("invalid_arguments")
			p.questions(t, 0) // it is not a suite
			if files, _ := filepath.Glob(filepath.Join(u.home, "tests", "*")); len(files) != 1 {
				t.Errorf("the folder has %q", files)
			}
			u.stdio(revision).call("save_suite", saved(smallSuite, "other.yaml", "")).fails("execution_error").
				has("/error/details/reason", "not_allowed")
		})
	}
}

// TestSaveSuiteElsewhere expects no file outside the working folder, in a hidden folder, or through a link, whatever
// the user answers.
func TestSaveSuiteElsewhere(t *testing.T) {
	u := newUser(t)
	outside := t.TempDir()
	if err := os.MkdirAll(filepath.Join(u.home, "inside"), 0o700); err != nil {
		t.Fatal(err)
	}
	u.link("out", outside)
	u.link("in", "inside")
	u.link("dangling.yaml", filepath.Join(outside, "new.yaml"))
	u.link("loop.yaml", "inside/new.yaml")
	p := &person{answer: "always"}
	c := u.asked(eras["modern"], p.reply)
	for _, file := range []string{"../x.yaml", outside + "/x.yaml", "a/../../x.yaml", ".github/workflows/x.yml",
		"a/.git/x.yaml", ".x.yaml", "x.sh", "x", "a\\b.yaml", "c:x.yaml", "./x.yaml", "x\n.yaml", "x\u202e.yaml",
		"~/../x/../../y.yaml", strings.Repeat("a", 300) + ".yaml"} {
		if a := c.call("save_suite", saved(smallSuite, file, `,"replace":true`)); !a.bad {
			t.Errorf("%s: %s", file, a.raw)
		}
		p.questions(t, 0)
	}
	for _, file := range []string{"out/x.yaml", "in/x.yaml", "dangling.yaml", "loop.yaml", "out/a/x.yaml"} {
		if a := c.call("save_suite", saved(smallSuite, file, `,"replace":true`)); !a.bad {
			t.Errorf("%s: %s", file, a.raw)
		}
		p.questions(t, 1)
	}
	for _, dir := range []string{outside, filepath.Join(u.home, "inside")} {
		if files, _ := os.ReadDir(dir); len(files) > 0 {
			t.Errorf("%s has %v", dir, files)
		}
	}
	e := u.listen()
	over := u.http(e, e.tokens[0], eras["legacy"], p.reply)
	over.call("save_suite", saved(smallSuite, "x.yaml", "")).fails("execution_error")
	p.questions(t, 0)
}
