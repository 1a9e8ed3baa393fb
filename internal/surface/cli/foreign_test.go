package cli

import (
	"strings"
	"testing"
)

func TestEquivalent(t *testing.T) {
	for typed, want := range map[string]string{
		"call":                      "mcptest tools call TOOL TARGET",
		"call echo demo":            "mcptest tools call echo demo",
		"call echo message=hi demo": "mcptest tools call echo --arg message=hi demo",
		"call echo --params {} npx -y some-server": "mcptest tools call echo --args '{}' -- npx -y some-server",
		"tools/list demo":                          "mcptest tools list demo",
		"tools/list ./server":                      "mcptest tools list -- ./server",
		"tools/call --tool-name echo demo":         "mcptest tools call echo demo",
		"list":                                     "mcptest tools list TARGET",
		"ping https://host.example/mcp":            "mcptest raw ping https://host.example/mcp",
		"doctor demo":                              "mcptest check demo",
		"test":                                     "mcptest run",
		"validate a.yaml":                          "mcptest suite validate a.yaml",
		"tools call echo --tool-arg message=hi demo": "mcptest tools call echo --arg message=hi demo",
		"tools call echo message=hi": "mcptest tools call echo --arg message=hi " +
			"TARGET",
		"tools call add a:=1 b=2 -- npx -y s": "mcptest tools call add --arg a:=1 --arg " +
			"b=2 -- npx -y s",
		"prompts get greet name=Ada demo":                               "mcptest prompts get greet --arg name=Ada demo",
		"--cli node build/index.js --method tools/list":                 "mcptest tools list -- node build/index.js",
		"--cli https://h.example/mcp --transport http --method ping":    "mcptest raw ping https://h.example/mcp",
		"--method=tools/list demo":                                      "mcptest tools list demo",
		"--method completion/complete demo":                             "mcptest raw completion/complete demo",
		"--cli s --method resources/read --uri test://a":                "mcptest resources read test://a s",
		"--cli s --method tools/call --tool-name t --tool-arg a=1 b=2":  "mcptest tools call t --arg a=1 --arg b=2 s",
		"--cli s --method prompts/get --prompt-name p --prompt-args a=": "mcptest prompts get p --arg a= s",
		"--cli --config mcp.json --server s --method tools/list":        "mcptest tools list --config mcp.json s",
		"--cli -e KEY=v node s.js --method tools/list":                  "mcptest tools list --env KEY=v -- node s.js",

		"tools list npx -y some-server":           "mcptest tools list -- npx -y some-server",
		"check --json python server.py":           "mcptest check --json -- python server.py",
		"tools call echo node server.js --port 3": "mcptest tools call echo -- node server.js --port 3",

		// The syntax of mcptest is not translated, whatever else is wrong.
		"tools call echo --arg message=hi demo":    "",
		"tools call echo --arg message=hi -- s a=": "",
		"tools list demo --frob":                   "",
		"frobnicate":                               "",
		"check demo call":                          "",
		"check -- npx -y some-server":              "",
		"tools list demo npx":                      "",
		"run npx":                                  "",
		"":                                         "",
	} {
		if got := equivalent(strings.Fields(typed)); got != want {
			t.Errorf("equivalent(%s) = %q, want %q", typed, got, want)
		}
	}
}
