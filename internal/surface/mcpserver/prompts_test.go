package mcpserver_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestPromptsNameTools gets every prompt, and expects only names of tools, of their arguments and of fields in it.
func TestPromptsNameTools(t *testing.T) {
	c := newUser(t).stdio(eras["modern"])
	tools, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	known := []string{"skip_validation", "is_error", "not_tested"}
	for _, tool := range tools.Tools {
		known = append(known, tool.Name)
	}
	prompts, err := c.ListPrompts(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range prompts.Prompts {
		names = append(names, p.Name)
		value := map[string]string{"rule": "SCH-001", "id": "3", "url": "https://example.com/mcp"}[p.Arguments[0].Name]
		got, err := c.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: p.Name,
			Arguments: map[string]string{p.Arguments[0].Name: value}})
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		text := got.Messages[0].Content.(*sdk.TextContent).Text
		if strings.Contains(text, "%!") || p.Name != "explain_finding" && !strings.Contains(text, value) {
			t.Errorf("%s does not contain its argument: %s", p.Name, text)
		}
		if p.Name == "explain_finding" {
			continue // the documentation of a rule
		}
		for _, word := range regexp.MustCompile(`\b[a-z]+(_[a-z]+)+\b`).FindAllString(text, -1) {
			if !slices.Contains(known, word) {
				t.Errorf("%s: %q is not a tool", p.Name, word)
			}
		}
	}
	for _, want := range []string{"test_server", "write_suite", "fix_finding", "ready_to_publish", "missing_tools"} {
		if !slices.Contains(names, want) {
			t.Errorf("there is no prompt %s", want)
		}
	}
}
