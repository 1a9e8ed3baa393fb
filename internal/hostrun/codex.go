package hostrun

import (
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

// codex passes all tools to a model that its catalog does not list as able to search for tools. It waits for a server
// that is required.
var codex = Host{
	ID: "codex", Package: "@openai/codex", Program: "codex", API: responsesAPI,
	SearchTool: "tool_search", SearchLimit: "limit",
	Owns: func(server string, tool hosts.Tool) bool {
		return tool.Namespace == "mcp__"+strings.ReplaceAll(safeName(server), "-", "_")
	},
	Plan: func(s Setup) Plan {
		model := "gpt-5"
		if s.Search {
			model = "gpt-5.5"
		}
		config := fmt.Sprintf("model = %s\nmodel_provider = \"scripted\"\ncheck_for_update_on_startup = false\n\n"+
			"[model_providers.scripted]\nname = \"scripted\"\nbase_url = %s\nenv_key = \"MODEL_KEY\"\n"+
			"wire_api = \"responses\"\n\n[analytics]\nenabled = false\n\n[mcp_servers.%s]\ncommand = %s\nargs = [%s]\n"+
			"required = true\nstartup_timeout_sec = 60\n",
			quote(model), quote(s.Model+"/v1"), quote(s.Server), quote(s.Command[0]), quoteAll(s.Command[1:]))
		return Plan{
			Files: map[string]string{".codex/config.toml": config},
			Args: []string{"exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox",
				"--color", "never", s.Prompt},
			Env: []string{"CODEX_HOME=" + s.Home + "/.codex", "MODEL_KEY=" + modelKey},
		}
	},
}
