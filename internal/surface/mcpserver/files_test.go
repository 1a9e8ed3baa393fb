package mcpserver_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestArgumentsNameNoFile expects the arguments of load_server to be the JSON that they are: a path in their place is
// not read, and - does not read the standard input that serve itself speaks on.
func TestArgumentsNameNoFile(t *testing.T) {
	u := newUser(t)
	file := filepath.Join(u.home, "secret.json")
	if err := os.WriteFile(file, []byte(`{"message":"canary-5512"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(u.home, "plain")
	if err := os.WriteFile(plain, []byte("canary-5512"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := u.stdio("2025-11-25")
	c.call("connect_to_server", `{"url":"demo"}`).ok()
	for _, args := range []string{"@" + file, file, "secret.json", "@" + plain, plain, "-"} {
		a := c.call("load_server", fmt.Sprintf(`{"tool":"echo","args":%q,"duration":"100ms"}`,
			args)).fails("invalid_arguments")
		if strings.Contains(string(a.raw), "canary") {
			t.Errorf("args %q: the file is in the answer: %s", args, a.raw)
		}
	}
	if a := c.call("get_transcript", `{"since":0}`).ok(); strings.Contains(string(a.raw), "canary") {
		t.Errorf("the file was sent to the server: %s", a.raw)
	}
}
