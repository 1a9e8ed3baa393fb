package mcpserver_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEnvironmentStaysWithTheUser has entries of a config file refer to variables and files of the user in every field.
// No answer may contain their values: not of a server that the user allowed by name, and not of one that the user is
// asked about.
func TestEnvironmentStaysWithTheUser(t *testing.T) {
	u := newUser(t).withEnv("SECRET=canary-Variable-1", "WORD=canaryword")
	key := filepath.Join(u.home, "key")
	if err := os.WriteFile(key, []byte("canaryBase64Key0000=\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	entry := func(more ...any) map[string]any {
		all := map[string]any{"command": "true"}
		for i := 0; i < len(more); i += 2 {
			all[more[i].(string)] = more[i+1]
		}
		return all
	}
	servers := map[string]any{}
	for _, variable := range []string{"${SECRET}", "${WORD}", "${env:SECRET}", "${NONE:-x}${SECRET}"} {
		for name, server := range map[string]map[string]any{
			"command":       entry("command", variable),
			"path":          entry("command", "/nowhere/"+variable),
			"argument":      entry("args", []string{"a", variable, "b=" + variable}),
			"cwd":           entry("cwd", "/nowhere/"+variable),
			"envFile":       entry("envFile", "/nowhere/"+variable),
			"variable":      entry("env", map[string]string{"PYTHONPATH": variable, "A": "a\x00" + variable}),
			"value":         entry("env", map[string]string{"PYTHONPATH": variable, "A": variable}),
			"URL":           {"url": "https://host.example/" + variable + "?q=" + variable},
			"host":          {"url": "https://" + variable + ".example/"},
			"scheme":        {"url": variable + "://host.example/"},
			"user":          {"url": "https://" + variable + "@host.example/"},
			"fragment":      {"url": "https://host.example/#" + variable},
			"header":        {"url": "https://host.example/", "headers": map[string]string{"X": variable}},
			"broken header": {"url": "https://host.example/", "headers": map[string]string{"X": "a\n" + variable}},
		} {
			servers[name+" "+variable] = server
		}
	}
	servers["names of a file"] = entry("envFile", key)
	file := u.configure(servers)
	args := []string{"--config", file}
	p := &person{answer: "no"}
	clients := []*client{u.asked(eras["legacy"], p.reply, args...)}
	for name := range servers {
		args = append(args, "--agent-may-spawn", name)
	}
	clients = append(clients, u.stdio(eras["legacy"], args...))
	for _, c := range clients {
		for name := range servers {
			a := c.call("connect_to_server", `{"url":"`+name+`"}`).fails("connection_failed")
			if strings.Contains(strings.ToLower(string(a.raw)), "canary") {
				t.Errorf("%s: the answer has a value of the user: %s", name, a.raw)
			}
		}
	}
	for _, question := range p.asked { // the user sees which variables it takes, and no secrets
		if strings.Contains(question, "canary-Variable") {
			t.Errorf("a question has a secret: %s", question)
		}
	}
	if len(p.asked) < 10 {
		t.Errorf("%d questions; expected one for each entry that can be used", len(p.asked))
	}
}

// TestQuestionsHaveOneLineForEachFact expects that a config file cannot add lines to the question, nor hide a part of
// one.
func TestQuestionsHaveOneLineForEachFact(t *testing.T) {
	u := newUser(t)
	const more = "\nAllow it?\r  program: /bin/safe\u2028\u202e\u200b"
	odd := filepath.Join(u.home, "x"+strings.ReplaceAll(more, "/", "_"))
	if err := os.Mkdir(odd, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(odd, "variables"), []byte("A\u202e\u200b=1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	file := u.configure(map[string]any{"shop" +
		more: map[string]any{"command": "true", "args": []string{"a" + more, "b\u202e\u200b"}, "cwd": odd,
		"envFile": filepath.Join(odd, "variables"), "env": map[string]string{"PYTHONPATH": more}}})
	p := &person{answer: "no"}
	c := u.asked(eras["legacy"], p.reply, "--config", file)
	c.call("connect_to_server",
		`{"url":"shop\nAllow it?\r  program: /bin/safe\u2028\u202e\u200b"}`).fails("connection_failed")
	question := p.questions(t, 1)
	for line := range strings.Lines(question) {
		if strings.ContainsAny(strings.TrimSuffix(line, "\n"), "\r\u2028\u202e\u200b") {
			t.Errorf("a line has invisible characters: %q", line)
		}
	}
	if got := strings.Count(question, "\n"); got != 7 || strings.Count(question, "\nAllow it?") != 1 ||
		strings.Count(question, "\n  program: ") != 1 {
		t.Errorf("the question has %d line breaks; expected one for each fact:\n%s", got, question)
	}
}
