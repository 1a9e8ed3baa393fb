package conform

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/safety"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// PROMPT-014 passes on prompts of which only some values of an argument matter.
func TestArgumentWithFewValues(t *testing.T) {
	t.Parallel()
	for name, other := range map[string]func(style, mood string) string{
		"described":             func(style, _ string) string { return map[string]string{"brief": "Hi"}[style] },
		"number":                func(style, _ string) string { return map[string]string{"100000": "Hi"}[style] },
		"with another argument": func(style, mood string) string { return map[bool]string{true: style}[mood != ""] },
	} {
		few := mutant{defect: answer("*", func(c *exemplar.Call, r []byte) []byte {
			switch {
			case c.Method == "prompts/list":
				return edited(r, set("/result/prompts/0/arguments/1",
					`{"name":"style","description":"How: polite or brief.","required":true}`),
					set("/result/prompts/0/arguments/2", `{"name":"mood"}`))
			case c.Method == "prompts/get" && schema.TextAt(c.Params, "/name") == "greet":
				text := schema.TextAt(r, "/result/messages/0/content/text") +
					other(schema.TextAt(c.Params, "/arguments/style"), schema.TextAt(c.Params, "/arguments/mood"))
				return edited(r, set("/result/messages/0/content/text", fmt.Sprintf("%q", text)))
			}
			return r
		})}
		out, err := judged(t, few.target(t, "PROMPT-014", OnPipe), calm("2025-11-25", "PROMPT-014"))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report.Results; len(r) != 1 || r[0].Status() != finding.Passed {
			t.Errorf("%s: %+v, expected it to pass", name, r)
		}
	}
}

// TestNothingTested expects checks to be skipped if no prompt could be rendered and no tool fetches pages.
func TestNothingTested(t *testing.T) {
	t.Parallel()
	rejects := mutant{defect: instead("prompts/get", func(c *exemplar.Call) []byte {
		return c.Refuse(-32603, "not now")
	})}
	rules := []string{"PROMPT-009", "PROMPT-010", "PROMPT-013", "PROMPT-014", "PROMPT-015", "PROMPT-016", "PROMPT-017", "TOOL-048"}
	out, err := judged(t, rejects.target(t, "PROMPT-013", OnPipe), calm("2026-07-28", rules...))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range out.Report.Results {
		if r.Skipped == "" {
			t.Errorf("%s %s: %s%s; expected it to be skipped", r.Rule, r.Status(), r.Broken, shown(r.Findings))
		}
	}
}

// TestFetchesNothingLocal has a tool that rejects addresses of its own machine.
func TestFetchesNothingLocal(t *testing.T) {
	t.Parallel()
	rejects := mutant{defect: fetching("A page.", func(string) bool { return false })}
	out, err := judged(t, rejects.target(t, "TOOL-048", OnHTTP), calm("2025-11-25", "TOOL-048"))
	if err != nil {
		t.Fatal(err)
	}
	if r := out.Report.Results[0]; r.Status() != finding.Passed {
		t.Errorf("TOOL-048 %s: %s%s", r.Status(), r.Broken+r.Skipped, shown(r.Findings))
	}
}

// TestPromptThatExecutes expects no request of a prompt that runs commands, by any check, unless the user permits it.
func TestPromptThatExecutes(t *testing.T) {
	t.Parallel()
	for name, permit := range map[string]safety.Permit{"": {}, "allowed": {Tools: []string{"run_command"}}} {
		var mu sync.Mutex
		ran := 0
		server := mutant{defect: func(s *exemplar.Server) {
			s.Wrap = func(next exemplar.Handler) exemplar.Handler {
				return func(c *exemplar.Call) []byte {
					if c.Method == "prompts/get" && schema.TextAt(c.Params, "/name") == "run_command" {
						mu.Lock()
						defer mu.Unlock()
						ran++
						return c.Refuse(-32603, "not found: 1")
					}
					r := next(c)
					if c.Method == "prompts/list" {
						r = edited(edited(r, set("/result/prompts", `[{"name":"run_command"}]`)), remove("/result/nextCursor"))
					}
					return r
				}
			}
		}}
		options := calm("2026-07-28")
		options.Permit = permit
		out, err := judged(t, server.target(t, "PROMPT-013", OnHTTP), options)
		if err != nil {
			t.Fatal(err)
		}
		listed := slices.Contains(out.NotRequested, `run_command (the name contains "run")`)
		if (ran > 0) != (name != "") || listed != (name == "") {
			t.Errorf("%s: requested %d times, listed as not requested: %v", name, ran, out.NotRequested)
		}
		for _, r := range out.Report.Results {
			if r.Rule == "PROMPT-013" && name == "" && !strings.Contains(r.Skipped, "run_command") {
				t.Errorf("PROMPT-013 %s: %q; expected it to be skipped, with the prompt", r.Status(), r.Skipped)
			}
		}
	}
}
