package engines

import (
	"testing"

	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// TestConnectionWords has the command of a finding name the server as the person did: arguments as words of a shell,
// and all that it takes to reach it but the secrets.
func TestConnectionWords(t *testing.T) {
	for _, c := range []struct {
		connection workbench.Connection
		want       string
	}{
		{workbench.Connection{Target: "demo"}, "demo"},
		{workbench.Connection{Target: "https://me:secret@example.com/mcp",
			Header: []string{"Authorization: Bearer abc", "X-Team: $TEAM"}, Insecure: true},
			"--header 'Authorization: …' --header 'X-Team: $TEAM' --insecure"},
		{workbench.Connection{Command: []string{"node", "my server.js", "it's"},
			Env: []string{"API_KEY=abc", "MODE=test"},
			Cwd: "/srv"},
			`--cwd /srv --env API_KEY --env MODE=test -- node 'my server.js' 'it'\''s'`},
	} {
		got := (&ConformInput{Connection: c.connection}).reached()
		if c.connection.Header != nil {
			got = got[:len(c.want)] // the address has a test of its own
		}
		if got != c.want {
			t.Errorf("reached as\n%s\nwant\n%s", got, c.want)
		}
	}
}
