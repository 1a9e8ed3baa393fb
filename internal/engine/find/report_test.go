package find

import (
	"fmt"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/cputime"
)

func TestNameWords(t *testing.T) {
	for name, want := range map[string]string{"search_repositories": "search repositories",
		"getUserData": "get user data",
		"a.b-c":       "a b c", "HTTPGet": "httpget"} {
		if got := NameWords(name); got != want {
			t.Errorf("NameWords(%s) = %q, want %q", name, got, want)
		}
	}
}

// TestClaudeSearch covers what the recorded queries do not contain.
func TestClaudeSearch(t *testing.T) {
	s := newClaude([]Tool{{Server: "notes", Name: "add_note", Description: "Adds text."},
		{Server: "notes", Name: "list_notes", Description: "Lists all."}})
	for query, want := range map[string]string{"add_note": "[{0 1}]", "mcp__notes__list_notes": "[{1 1}]",
		"+list note": "[{1 26}]", "zebra": "[]"} {
		if got := fmt.Sprint(s.Rank(query)); got != want {
			t.Errorf("Rank(%q) = %s, want %s", query, got, want)
		}
	}
}

// TestSpeed ranks 1,000 tools for 300 queries in 2 seconds.
func TestSpeed(t *testing.T) {
	var tools []Tool
	for _, set := range recordedSets(t) {
		tools = append(tools, set[:min(len(set), 350)]...)
	}
	tools = tools[:min(len(tools), 1000)]
	queries, _ := OwnQueries(tools)
	queries = queries[:min(len(queries), 300)]
	started := cputime.Used()
	Run(t.Context(), Engines(), tools, queries)
	took := cputime.Used() - started
	t.Logf("%d queries, %d tools: %v of CPU time", len(queries), len(tools), took)
	if took > 2*time.Second*slowdown {
		t.Errorf("took %v, want at most 2 s", took)
	}
}
