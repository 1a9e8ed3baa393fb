package httpapi_test

import (
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/inspector"
	"github.com/mcptest-dev/mcptest/internal/target"
)

// The fix that a finding offers is applied to the definition that the server sent, digit by digit; one that does not fit it is
// refused.
func TestDefinitionIsMended(t *testing.T) {
	p := newPage(t, &target.Spec{Args: []string{"demo-flawed"}}, "")
	l := p.connect(inspector.NewLink{Server: "given"})
	mend := "/api/links/" + l.ID + "/mend"
	limit := "9007199254740993.0"
	got := ask[inspector.Mended](p, "POST", mend, inspector.MendInput{Tool: "search_notes",
		Edits: []inspector.Edit{{Pointer: "/inputSchema/properties/query/maxLength", ValueJSON: &limit}}})
	if !strings.Contains(got.AfterJSON, `"maxLength": 9007199254740993.0`) {
		t.Errorf("mended: %s", got.AfterJSON)
	}
	added := 0
	for line := range strings.Lines(got.Diff) {
		if strings.HasPrefix(line, "+ ") && strings.Contains(line, "maxLength") {
			added++
		}
	}
	if added != 1 {
		t.Errorf("the difference adds %d lines of maxLength, want one:\n%s", added, got.Diff)
	}
	gone := inspector.MendInput{Tool: "search_notes", Edits: []inspector.Edit{{Pointer: "/inputSchema/nothing"}}}
	if problem := p.refused("POST", mend, gone, 400); problem.Hint == "" {
		t.Errorf("a fix that does not fit: %+v, want a hint", problem)
	}
	p.refused("POST", mend, inspector.MendInput{Tool: "no such tool"}, 404)
}
