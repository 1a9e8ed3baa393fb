package requests

import (
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/protocol/apps"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// viewMarks are what a tool declares for MCP Apps: its view, and that only views call it.
func viewMarks(tool json.RawMessage) []string {
	var marks []string
	if uri, _ := apps.ViewOf(tool); uri != "" {
		marks = append(marks, "view "+clip.Text(uri, 80))
	}
	if apps.HiddenFromModel(tool) {
		marks = append(marks, "only for views")
	}
	return marks
}

// writeViewSettings shows what a resource declares for MCP Apps: the origins and permissions of a view.
func writeViewSettings(t *workbench.Text, resource json.RawMessage) {
	settings, _ := schema.Get(resource, "/_meta/ui")
	members, _ := schema.Members(settings)
	var parts []string
	for _, m := range members {
		parts = append(parts, m.Name+" "+clip.Text(string(m.Value), 200))
	}
	if len(parts) > 0 {
		t.Line(t.Dim("  view: %s", strings.Join(parts, ", ")))
	}
}
