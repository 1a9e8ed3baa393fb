package requests

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// TestEntriesStayOnOneLine expects that a server cannot add lines to lists by its names, nor hide a part of them.
func TestEntriesStayOnOneLine(t *testing.T) {
	const hostile = "x\n::set-output name=a::b\r\n  no tools\x1b[8m\u202e"
	name, _ := json.Marshal(hostile)
	property := string(name) + `:{"type":"string","description":` + string(name) + `}`
	for what, entry := range map[string]func(*workbench.Text, mcp.Item){"tool": toolEntry, "resource": resourceEntry,
		"prompt": promptEntry} {
		raw := fmt.Sprintf(`{"name":%s,"uri":%[1]s,"mimeType":%[1]s,"inputSchema":{"properties":{%s}},`+
			`"arguments":[{"name":%[1]s}]}`, name, property)
		var out strings.Builder
		entry(workbench.NewText(&out), mcp.Item{Name: hostile, Raw: json.RawMessage(raw)})
		if !strings.Contains(out.String(), "set-output") {
			t.Errorf("%s: the name is missing:\n%s", what, out.String())
		}
		for line := range strings.Lines(out.String()) {
			if strings.HasPrefix(strings.TrimSpace(line), "::") ||
				strings.HasPrefix(strings.TrimSpace(line), "no tools") || strings.ContainsAny(line, "\r\x1b\u202e") {
				t.Errorf("%s: a line of the server: %q", what, line)
			}
		}
	}
}
