package advice

import (
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// The rules that fire most often have a fix and a snippet for each language.
func TestTopics(t *testing.T) {
	covered := map[string]bool{}
	for _, topic := range topics {
		if topic.fix == "" {
			t.Errorf("%v has no fix", topic.rules)
		}
		for _, language := range []string{"python", "typescript", "go"} {
			if topic.snippets[language] == "" {
				t.Errorf("%v has no snippet for %s", topic.rules, language)
			}
		}
		for _, id := range topic.rules {
			if covered[id] {
				t.Errorf("%s is in two topics", id)
			}
			covered[id] = true
		}
	}
	if len(covered) < 25 {
		t.Errorf("%d rules have snippets, want 25", len(covered))
	}
}

// The reason is the first sentence of the documentation; what to do is its last paragraph where no topic has it.
func TestFor(t *testing.T) {
	rule := finding.Rule{ID: "NEW-001", Doc: "Title.\n\nClients hang, e.g. on 1.5 s. more of it.\n\nDo this\nand that."}
	want := Advice{Why: "Clients hang, e.g. on 1.5 s.", Fix: "Do this and that.", Link: site + "rules/NEW-001.html"}
	if got := For(rule, "go"); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	known := For(finding.Rule{ID: "SCH-004", Doc: "Title."}, "typescript")
	if known.Why != "" || !strings.Contains(known.Snippet, ".max(200)") || known.Link != site+"rules/SCH-004.html" {
		t.Errorf("%+v", known)
	}
	if bare := For(finding.Rule{ID: "gemini/enum-string"}, ""); bare.Snippet != "" || bare.Fix == "" ||
		bare.Link != site+"rules/gemini-enum-string.html" {
		t.Errorf("%+v", bare)
	}
}
