package httpapi_test

import (
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/inspector"
	"github.com/mcptest-dev/mcptest/internal/target"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// The fix that a finding offers is applied to the definition that the server sent, digit by digit; one that does not
// fit it is refused.
func TestDefinitionIsMended(t *testing.T) {
	p := newPage(t, &target.Spec{Args: []string{"demo-flawed"}}, "")
	l := p.connect(view.NewLink{Server: "given"})
	fix := "/api/links/" + l.ID + "/apply-fix"
	limit := "9007199254740993.0"
	got := ask[inspector.FixedDefinition](p, "POST", fix, inspector.ApplyFixInput{Tool: "search_notes",
		Edits: []view.Edit{{Pointer: "/inputSchema/properties/query/maxLength", ValueJSON: &limit}}})
	if !strings.Contains(got.AfterJSON, `"maxLength": 9007199254740993.0`) {
		t.Errorf("fixed: %s", got.AfterJSON)
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
	gone := inspector.ApplyFixInput{Tool: "search_notes", Edits: []view.Edit{{Pointer: "/inputSchema/nothing"}}}
	if problem := p.refused("POST", fix, gone, 400); problem.Hint == "" {
		t.Errorf("a fix that does not fit: %+v, want a hint", problem)
	}
	p.refused("POST", fix, inspector.ApplyFixInput{Tool: "no such tool"}, 404)
}
