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

// A client that formats its file does not prevent unwrapping: the entry is restored in the format of the client.
func TestUnwrapFormatted(t *testing.T) {
	for name, c := range map[string]struct{ before, formatted, want string }{
		"arguments": {`{"mcpServers":{"k":{"command":"npx","args":["-y","s"]}}}`,
			"{\n  \"mcpServers\": {\n    \"k\": {\n      \"command\": \"/bin/m\",\n      \"args\": [\n        \"tap\",\n" +
				"        \"--\",\n        \"npx\",\n        \"-y\",\n        \"s\"\n      ]\n    }\n  },\n  \"n\": 1\n}\n",
			"{\n  \"mcpServers\": {\n    \"k\": {\n      \"command\": \"npx\",\n      \"args\": [\n        \"-y\",\n" +
				"        \"s\"\n      ]\n    }\n  },\n  \"n\": 1\n}\n"},
		"no arguments": {`{"mcpServers":{"k":{"command":"npx"}}}`,
			"{\"mcpServers\": {\"k\": {\"args\": [\"tap\", \"--\", \"npx\"], \"command\": \"/bin/m\"}}}",
			"{\"mcpServers\": {\"k\": {\"args\": [], \"command\": \"npx\"}}}"},
		"other command": {`{"mcpServers":{"k":{"command":"npx"}}}`,
			`{"mcpServers": {"k": {"args": ["tap", "--", "node"], "command": "/bin/m"}}}`, ""},
		"no front": {`{"mcpServers":{"k":{"command":"npx"}}}`,
			`{"mcpServers": {"k": {"args": ["tap", "--", "npx"], "command": "/bin/n"}}}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			sys := System{Home: t.TempDir(), GOOS: "linux", Lookup: func(string) (string, bool) { return "", false }}
			file := filepath.Join(sys.Home, ".claude.json")
			if err := os.WriteFile(file, []byte(c.before), 0o600); err != nil {
				t.Fatal(err)
			}
			front := Command{"/bin/m", []string{"tap", "--"}}
			_, wrapping, err := Wrap(sys, "claude-code", "k", front)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(c.formatted), 0o600); err != nil {
				t.Fatal(err)
			}
			change, err := Unwrap(sys, wrapping)
			if c.want == "" {
				if err == nil {
					t.Errorf("unwrapped: %s", change.After)
				}
				return
			}
			if err != nil || string(change.After) != c.want {
				t.Fatalf("unwrapped: %v\n%s\nwant:\n%s", err, change.After, c.want)
			}
			if again, w, err := Wrap(sys, "claude-code", "k", front); err != nil || len(w.Edits) > 0 {
				t.Errorf("wrapped twice: %v\n%s", err, again.After)
			}
		})
	}
}
