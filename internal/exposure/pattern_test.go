package exposure

import (
	"regexp/syntax"
	"slices"
	"testing"
)

// Each match contains one of the literals, so a text without them is not searched.
func TestLiterals(t *testing.T) {
	for text, want := range map[string][]string{
		`\bKeyError\b`:        {"KeyError"},
		`'\w+' object has no`: {"' object has no"},
		`one|two|x three`:     {"one", "two", "x three"},
		`one|\d+`:             nil,
		`(?i)error`:           nil,
		`(?:ab)*`:             nil,
		`(?:ab)?c`:            {"c"},
		`(?:abc){2,3}[0-9]`:   {"abc"},
		`(abc)+d`:             {"abc"},
		`\w+ (?:no|ever) x`:   {"ever", "no"},
	} {
		tree, err := syntax.Parse(text, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		got := literals(tree)
		if slices.Sort(got); !slices.Equal(got, sorted(want)) {
			t.Errorf("%s: got %q, expected %q", text, got, want)
		}
	}
}

func sorted(texts []string) []string { slices.Sort(texts); return texts }
