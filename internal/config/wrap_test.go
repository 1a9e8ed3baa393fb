package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Wrapping changes only the command and the arguments of the entry, and unwrapping restores every byte.
func TestWrap(t *testing.T) {
	const front = `"tap", "--name", "k", "--", `
	for name, c := range map[string]struct{ host, before, after string }{
		"one line": {"cursor", `{"mcpServers":{"k":{"command":"npx","args":["-y","s"]}}}`,
			`{"mcpServers":{"k":{"command":"/bin/m","args":[` + front + `"npx", "-y","s"]}}}`},
		"args first, comments, BOM": {"vscode", "\xef\xbb\xbf{\n\t// mine\n\t\"servers\": {\"k\": {\"args\": [ ], /* " +
			"c */ \"command\": \"a\\u0062\", \"env\": {\"A\": \"command\"}},},\n}",
			"\xef\xbb\xbf{\n\t// mine\n\t\"servers\": {\"k\": {\"args\": [" + front +
				"\"a\\u0062\" ], /* c */ \"command\": \"/bin/m\", \"env\": {\"A\": \"command\"}},},\n}"},
		"no args, CRLF": {"claude-desktop", "{\r\n  \"mcpServers\": {\r\n    \"k\": {\r\n      \"command\": " +
			"\"s\"\r\n    }\r\n  }\r\n}\r\n",
			"{\r\n  \"mcpServers\": {\r\n    \"k\": {\r\n      \"command\": \"/bin/m\",\r\n      \"args\": [" + front +
				"\"s\"]\r\n    }\r\n  }\r\n}\r\n"},
		"lines": {"claude-code", "{\"mcpServers\": {\"a\": {}, \"k\": {\n  \"command\": \"npx\",\n  \"args\": [\n    " +
			"\"-y\"\n  ]\n}}}",
			"{\"mcpServers\": {\"a\": {}, \"k\": {\n  \"command\": \"/bin/m\",\n  \"args\": [" + front +
				"\"npx\",\n    \"-y\"\n  ]\n}}}"},
		"toml": {"codex", "model = \"x\"\n\n[mcp_servers.k] # mine\ncommand = 'npx'\nargs = [\n  \"a]\", # " +
			"]\n]\n[mcp_servers.k.env]\ncommand = \"no\"\n",
			"model = \"x\"\n\n[mcp_servers.k] # mine\ncommand = \"/bin/m\"\nargs = [" + front +
				"'npx',\n  \"a]\", # ]\n]\n[mcp_servers.k.env]\ncommand = \"no\"\n"},
		"toml without args": {"codex", "[mcp_servers.\"k\"]\r\ncommand = \"s\"\r\nstartup_timeout_sec = 5",
			"[mcp_servers.\"k\"]\r\ncommand = \"/bin/m\"\r\nargs = [" +
				front + "\"s\"]\r\nstartup_timeout_sec = 5"},
	} {
		t.Run(name, func(t *testing.T) {
			sys := System{Home: t.TempDir(), GOOS: "linux", Lookup: func(string) (string, bool) { return "", false }}
			h, _, _ := openHome(sys, c.host)
			file := h.file(sys)
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(c.before), 0o600); err != nil {
				t.Fatal(err)
			}
			command := Command{"/bin/m", []string{"tap", "--name", "k", "--"}}
			change, wrapping, err := Wrap(sys, c.host, "k", command)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(change.After); got != c.after {
				t.Fatalf("wrapped:\n%s\nwant:\n%s", got, c.after)
			}
			if err := change.Write(); err != nil {
				t.Fatal(err)
			}
			if again, _, err := Wrap(sys, c.host, "k", command); err != nil || string(again.After) != c.after {
				t.Errorf("wrapped twice: %v", err)
			}
			back, err := Unwrap(sys, wrapping)
			if err != nil || string(back.After) != c.before {
				t.Errorf("unwrapped: %v\n%s\nwant:\n%s", err, back.After, c.before)
			}
			changed := strings.Replace(c.after, `"--name"`, `"--other"`, 1)
			if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := Unwrap(sys, wrapping); err == nil || !strings.Contains(err.Error(), "has changed since") {
				t.Errorf("unwrapped an entry that has changed: %v", err)
			}
		})
	}
}
