package mcpserver_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/systrace"
)

// TestConnectToACommand starts a server from a command line in one call, after one answer of the user; and after the
// command of the suggestion, if the host cannot ask.
func TestConnectToACommand(t *testing.T) {
	command := fmt.Sprintf("%q %s works", self(), asTarget)
	connect := fmt.Sprintf(`{"url":%q}`, command)
	for era, revision := range eras {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			p := &person{answer: "no"}
			c := u.asked(revision, p.reply)
			c.call("connect_to_server", connect).fails("connection_failed").has("/error/details/reason", "declined")
			question := p.questions(t, 1)
			for _, part := range []string{"asks to start a server with this command", "program: " + self(),
				"arguments: " + asTarget + " works", "directory: " + u.home, "default variables only"} {
				if !strings.Contains(question, part) {
					t.Errorf("the question does not have %q:\n%s", part, question)
				}
			}
			p.answer = "once"
			for range 2 {
				c.call("connect_to_server", connect).ok().has("/connection/server_info/name", "works").
					has("/connection/transport", "stdio").contains("/message", "started with: "+self())
				p.questions(t, 1)
				c.call("disconnect", `{}`).ok()
			}
			p.answer = "session"
			c.call("connect_to_server", connect).ok()
			p.questions(t, 1)
			c.call("restart", `{}`).ok() // the answer is for the session
			p.questions(t, 0)
			p.answer = "no"
			c.call("connect_to_server", fmt.Sprintf(`{"url":%q,"connection":"x"}`, command+" more")).
				fails("connection_failed").has("/error/details/reason", "declined")
			p.questions(t, 1)
			quiet := u.stdio(revision)
			quiet.call("connect_to_server", connect).fails("connection_failed").
				has("/error/details/reason", "not_allowed").
				contains("/error/suggestion", "cd "+u.home+" && mcptest serve --agent-may-spawn '"+command+"' --approve")
			if out, err := u.command("serve", "--agent-may-spawn", command, "--approve",
				"--yes").CombinedOutput(); err != nil || !strings.Contains(string(out), "program    "+self()) {
				t.Fatalf("approve: %v\n%s", err, out)
			}
			quiet.call("connect_to_server", connect).ok().has("/connection/server_info/name", "works")
		})
	}
}

// shop writes a program that is a server, and returns its path.
func (u *user) shop(name, mode string) string {
	u.t.Helper()
	file := filepath.Join(u.home, name)
	_ = os.Remove(file)
	script := fmt.Sprintf("#!/bin/sh\nexec %s %s %s\n", self(), asTarget, mode)
	if err := os.WriteFile(file, []byte(script), 0o700); err != nil {
		u.t.Fatal(err)
	}
	return file
}

func (u *user) link(name, to string) {
	u.t.Helper()
	file := filepath.Join(u.home, name)
	_ = os.Remove(file)
	if err := os.Symlink(to, file); err != nil {
		u.t.Fatal(err)
	}
}

// TestConnectToAPath asks twice: before the path is looked at, and before exactly what it leads to is started.
func TestConnectToAPath(t *testing.T) {
	for era, revision := range eras {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			first, second := u.shop("first", "works"), u.shop("second", "other")
			u.link("server", first)
			p := &person{answer: "once"}
			c := u.asked(revision, p.reply)
			const connect = `{"url":"./server"}`
			c.call("connect_to_server", connect).ok().has("/connection/server_info/name", "works")
			c.call("disconnect", `{}`).ok()
			if len(p.asked) != 2 || !strings.Contains(p.asked[0], "path: "+filepath.Join(u.home, "server")) ||
				strings.Contains(p.asked[0], first) || !strings.Contains(p.asked[1], "program: "+first) {
				t.Errorf("the questions are %q", p.asked)
			}
			p.questions(t, 2)
			p.answer = "always"
			c.call("connect_to_server", connect).ok()
			c.call("disconnect", `{}`).ok()
			p.questions(t, 2)
			c.call("connect_to_server", connect).ok().has("/connection/server_info/name", "works")
			c.call("disconnect", `{}`).ok()
			p.questions(t, 0)
			u.link("server", second) // exactly the first was granted
			p.answer = "no"
			c.call("connect_to_server", connect).fails("connection_failed").has("/error/details/reason", "declined")
			if question := p.questions(t, 1); !strings.Contains(question, "program: "+second) {
				t.Errorf("the question is %q", question)
			}
		})
	}
}

// TestPathChangesDuringTheQuestion changes what a path leads to while the user reads: what they have not seen is not
// started.
func TestPathChangesDuringTheQuestion(t *testing.T) {
	for era, revision := range eras {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			first, second := u.shop("first", "works"), u.shop("second", "other")
			u.link("server", first)
			p := &person{answer: "always"}
			p.before = func() {
				if len(p.asked) == 2 {
					u.link("server", second)
				}
			}
			c := u.asked(revision, p.reply)
			c.call("connect_to_server", `{"url":"./server"}`).fails("connection_failed").
				has("/error/details/reason", "not_allowed")
			p.questions(t, 2)
		})
	}
}

// TestCommandChangesItsProgram expects an answer for always to hold for the program that was started.
func TestCommandChangesItsProgram(t *testing.T) {
	u := newUser(t)
	first, second := u.shop("first", "works"), u.shop("second", "other")
	u.link("server", first)
	p := &person{answer: "always"}
	c := u.asked(eras["modern"], p.reply)
	const connect = `{"url":"./server --stdio"}`
	c.call("connect_to_server", connect).ok().has("/connection/server_info/name", "works")
	c.call("disconnect", `{}`).ok()
	p.questions(t, 1)
	u.link("server", second)
	p.answer = "no"
	c.call("connect_to_server", connect).fails("connection_failed").has("/error/details/reason", "declined")
	if question := p.questions(t, 1); !strings.Contains(question, "program: "+second) {
		t.Errorf("the question is %q", question)
	}
}

// TestNothingIsLookedAt watches the system calls of paths and commands that the user does not allow: no file is looked
// at, and existing ones get the same question and the same answer as others.
func TestNothingIsLookedAt(t *testing.T) {
	u := newUser(t)
	for _, name := range []string{"canary-there.py", "canary-there", "canary-there.js"} {
		u.shop(name, "works")
	}
	if err := os.MkdirAll(filepath.Join(u.home, "canary-there.d"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, answer := range []string{"no", "an error", ""} {
		t.Run("answer "+answer, func(t *testing.T) {
			u := u.in(t)
			cmd := u.command("serve")
			trace := systrace.Wrap(t, cmd)
			p := &person{answer: answer}
			c := &client{elicit: p.reply}
			if answer == "" {
				c.elicit = nil // a host that cannot ask
			}
			u.start(c, cmd, eras["legacy"])
			for _, form := range []string{"./canary-%s", "./canary-%s.py", "canary-%s.js", "./canary-%s.d",
				"./canary-%s --stdio", "canary-%s.py x", u.home + "/canary-%s", "sh ./canary-%s", `"canary-%s.py"`} {
				both := []string{}
				for _, name := range []string{"there", "other"} {
					a := c.call("connect_to_server", fmt.Sprintf(`{"url":%q}`, fmt.Sprintf(form, name)))
					a.fails("connection_failed")
					both = append(both, strings.ReplaceAll(strings.Join(p.asked, "")+a.at("/error"), "there", "other"))
					p.asked = nil
				}
				if both[0] != both[1] {
					t.Errorf("%s: the answers differ:\n%s\n%s", form, both[0], both[1])
				}
			}
			_ = c.Close()
			for _, call := range trace.Calls() {
				if strings.Contains(call.Text, "canary-") && !strings.HasPrefix(call.Name, "write") {
					t.Errorf("%s%s", call.Name, call.Text)
				}
			}
		})
	}
}

// TestNoCommandOverHTTP expects commands and paths to stay refused where callers come over HTTP.
func TestNoCommandOverHTTP(t *testing.T) {
	u := newUser(t)
	e := u.listen()
	p := &person{answer: "always"}
	c := u.http(e, e.tokens[0], eras["legacy"], p.reply)
	for _, url := range []string{self() + " " + asTarget + " works", u.shop("server", "works"), "."} {
		c.call("connect_to_server", fmt.Sprintf(`{"url":%q}`, url)).fails("connection_failed").
			has("/error/details/reason", "not_allowed")
	}
	p.questions(t, 0)
}
