package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestInstall adds a server to files as people write them. What is not ours stays byte for byte.
func TestInstall(t *testing.T) {
	for name, c := range map[string]struct{ host, before, after string }{
		"no file": {"cursor", "", `{
  "mcpServers": {
    "k": {
      "command": "/bin/m",
      "args": [
        "serve"
      ]
    }
  }
}
`},
		"comments and trailing comma": {"cursor", `// mine
{
    /* servers */ "mcpServers": {
        "a": {"command": "x"}, // keep
    },
    "other": 1.0 // here, too
}
`, `// mine
{
    /* servers */ "mcpServers": {
        "a": {"command": "x"}, // keep
        "k": {
            "command": "/bin/m",
            "args": [
                "serve"
            ]
        }
    },
    "other": 1.0 // here, too
}
`},
		"a comment behind the last": {"vscode", "{\n\t\"servers\": {\n\t\t\"a\": {} // last\n\t}\n}",
			"{\n\t\"servers\": {\n\t\t\"a\": {}, // last\n" +
				"\t\t\"k\": {\n\t\t\t\"type\": \"stdio\",\n\t\t\t\"command\": \"/bin/m\",\n\t\t\t\"args\": " +
				"[\n\t\t\t\t\"serve\"\n\t\t\t]\n\t\t}\n\t}\n}"},
		"replaced": {"claude-code", `{"big": 9007199254740993, "mcpServers": {"k": {"command": "old"}, "z": 1}}`,
			`{"big": 9007199254740993, "mcpServers": {"k": {
  "type": "stdio",
  "command": "/bin/m",
  "args": [
    "serve"
  ]
}, "z": 1}}`},
		"no list yet": {"claude-desktop", "{\r\n  \"theme\": \"dark\"\r\n}\r\n",
			"{\r\n  \"theme\": \"dark\",\r\n  \"mcpServers\": {\r\n    \"k\": {\r\n      \"command\": \"/bin/m\",\r\n" +
				"      \"args\": [\r\n        \"serve\"\r\n      ]\r\n    }\r\n  }\r\n}\r\n"},
		"one line": {"cursor", `{"mcpServers":{"a":{}}}`,
			"{\"mcpServers\":{\"a\":{},\n  \"k\": {\n    \"command\": \"/bin/m\",\n    \"args\": [\n      " +
				"\"serve\"\n    ]\n  }\n}}"},
		"toml added": {"codex", "model = \"o\" # mine",
			"model = \"o\" # mine\n\n[mcp_servers.k]\ncommand = \"/bin/m\"\nargs = [\"serve\"]\n"},
		"toml replaced": {"codex", "[mcp_servers.k]\ncommand = \"old\"\n\n[mcp_servers.z]\ncommand = \"z\"\n",
			"[mcp_servers.k]\ncommand = \"/bin/m\"\nargs = [\"serve\"]\n\n[mcp_servers.z]\ncommand = \"z\"\n"},
	} {
		t.Run(name, func(t *testing.T) {
			change := install(t, c.host, c.before)
			if diff := cmp.Diff(c.after, string(change.After)); diff != "" {
				t.Fatalf("(-want +got):\n%s", diff)
			}
			if change.Created != (c.before == "") {
				t.Errorf("Created = %v", change.Created)
			}
			if err := change.Write(); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(change.File)
			if err != nil || string(got) != c.after {
				t.Errorf("%s, %v", got, err)
			}
			if err := change.Write(); err == nil {
				t.Error("Write to a file that has changed: no error")
			}
		})
	}
}

func install(t *testing.T, host, before string) *Change {
	t.Helper()
	sys := System{GOOS: "linux", Home: t.TempDir(), Dir: t.TempDir(),
		Lookup: func(string) (string, bool) { return "", false }}
	change, err := Install(sys, host, "k", Command{"/bin/m", []string{"serve"}})
	if err != nil {
		t.Fatal(err)
	}
	if before == "" {
		return change
	}
	if err := os.MkdirAll(filepath.Dir(change.File), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(change.File, []byte(before), 0o640); err != nil {
		t.Fatal(err)
	}
	change, err = Install(sys, host, "k", Command{"/bin/m", []string{"serve"}})
	if err != nil {
		t.Fatal(err)
	}
	return change
}

// TestInstallRefuses leaves files alone that cannot be changed without guessing.
func TestInstallRefuses(t *testing.T) {
	for before, host := range map[string]string{
		`{"mcpServers": `: "cursor", `[]`: "cursor", `{"mcpServers": []}`: "cursor",
		`{"mcpServers": {"k": 1, "k": 2}}`: "cursor",
		"mcp_servers = { a = {} }":         "codex",
	} {
		home := t.TempDir()
		sys := System{GOOS: "linux", Home: home, Lookup: func(string) (string, bool) { return "", false }}
		file := map[string]string{"cursor": ".cursor/mcp.json", "codex": ".codex/config.toml"}[host]
		if err := os.MkdirAll(filepath.Dir(filepath.Join(home, file)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(home, file), []byte(before), 0o600); err != nil {
			t.Fatal(err)
		}
		if change, err := Install(sys, host, "k", Command{}); err == nil ||
			!strings.Contains(err.Error(), "nothing was changed") {
			t.Errorf("Install into %s = %v, %v; want it refused", before, change, err)
		}
	}
	if _, err := Install(System{Home: "/"}, "emacs", "k", Command{}); err == nil {
		t.Error("an unknown host: no error")
	}
}
