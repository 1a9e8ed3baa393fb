package changes

import (
	"strings"
	"testing"
)

// The name of a server in the lock file does not depend on the machine, nor on the version.
func TestCommandName(t *testing.T) {
	for command, want := range map[string]string{
		"mcptest demo":                            "demo",
		"npx -y some-server":                      "some-server",
		"npx -y some-server@1.2.3 /data":          "some-server",
		"npx -y @scope/some-server@1.2.3":         "@scope/some-server",
		"npx @scope/some-server":                  "@scope/some-server",
		"uvx some-server@latest":                  "some-server",
		"node /home/me/some-server/dist/index.js": "some-server",
		"node dist/index.js":                      "dist",
		"node ./index.js":                         "index.js",
		"python server.py":                        "server.py",
		"/usr/local/bin/some-server":              "some-server",
		`node C:\code\some-server\build\main.js`:  "some-server",
	} {
		if got := commandName(strings.Fields(command)); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}
