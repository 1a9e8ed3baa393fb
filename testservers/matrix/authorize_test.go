package matrix

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/testservers/oauth"
	"github.com/mcptest-dev/mcptest/testservers/oauth/stops"
)

// TestAuthorizationOfClients compares where SDKs and Visual Studio Code stop with what mcptest auth --as predicts.
// testservers/hosts does the same with Claude Code and Codex.
func TestAuthorizationOfClients(t *testing.T) {
	t.Parallel()
	for client, command := range map[string][]string{
		"python-sdk": {python(environmentDir(t, "py2")), "-B", absolute(t, "python", "authorize.py")},
		"ts-sdk":     {"node", filepath.Join(nodePrograms(t, environmentDir(t, "ts2")), "authorize.mjs")},
		"vscode":     {"node", filepath.Join(nodePrograms(t, environmentDir(t, "vscode")), "vscode_authorize.mjs")},
	} {
		t.Run(client, func(t *testing.T) {
			t.Parallel()
			server := oauth.Start(t)
			for _, fault := range stops.Servers {
				command = append(command, server.URL(fault))
			}
			cmd := exec.Command(command[0], command[1:]...)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, stderr.String())
			}
			lines := slices.Collect(strings.Lines(string(out)))
			if len(lines) != len(stops.Servers) {
				t.Fatalf("%d results, expected %d\n%s", len(lines), len(stops.Servers), stderr.String())
			}
			for i, fault := range stops.Servers {
				stops.Check(t, server, fault, client, stops.Parse(t, lines[i]))
			}
		})
	}
}
