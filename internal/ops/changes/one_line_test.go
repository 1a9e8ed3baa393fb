package changes

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/engine/change"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// hostileName is a name that adds a line to a report, runs a command of GitHub Actions there, and hides what follows.
const hostileName = "x\n::set-output name=a::b\r\n  no differences\x1b[8m\u202e"

// TestNamesStayOnOneLine expects that a server cannot add lines to differences by its names, nor hide a part
// of them.
func TestNamesStayOnOneLine(t *testing.T) {
	name, _ := json.Marshal(hostileName)
	surface := func(properties, required string) *change.Surface {
		tool := json.RawMessage(fmt.Sprintf(`{"name":%s,"description":%[1]s,"inputSchema":{"type":"object",`+
			`"properties":{%s},"required":[%s]}}`, name, properties, required))
		return &change.Surface{Source: hostileName, Name: hostileName, Version: hostileName + required,
			Tools: []json.RawMessage{tool},
			Resources: []json.RawMessage{json.RawMessage(fmt.Sprintf(`{"uri":%s,"name":%[1]s,"title":%q}`, name,
				required))}, Capabilities: json.RawMessage(`{}`)}
	}
	property := string(name) + `:{"type":"string","description":` + string(name) + `}`
	diff := change.Compare(surface("", ""), surface(property, string(name)))
	texts := map[string]string{"Markdown": diffMarkdown(&DiffResult{Diff: diff})}
	write := func(what string, into func(io.Writer)) {
		var out strings.Builder
		into(&out)
		texts[what] = out.String()
	}
	write("matrix", func(w io.Writer) {
		_ = writeMatrix(w, &DiffMatrix{Columns: make([]MatrixColumn, 2),
			Rows: []MatrixRow{{Kind: change.ToolItem, Name: hostileName, Cells: []string{"1", ""}}}})
	})
	write("approval", func(w io.Writer) {
		_ = writeApprove(w, &ApproveResult{Diff: diff, open: diff, Approved: []string{hostileName},
			Open: []string{hostileName}})
	})
	write("difference", func(w io.Writer) {
		_ = writeDiffText(workbench.NewText(w),
			&DiffResult{Diff: diff, verbose: true})
	})
	for what, text := range texts {
		if !strings.Contains(text, "set-output") {
			t.Errorf("%s: the name is missing:\n%s", what, text)
		}
		for line := range strings.Lines(text) {
			if strings.HasPrefix(strings.TrimSpace(line), "::") ||
				strings.HasPrefix(strings.TrimSpace(line), "no differences") ||
				strings.ContainsAny(line, "\r\x1b\u202e") {
				t.Errorf("%s: a line of the server: %q", what, line)
			}
		}
	}
}
