package suiterun

import (
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
)

// What is wrong with the options of an engine is told in the words of a suite, not in those of the program.
func TestWrongOptions(t *testing.T) {
	for with, want := range map[string]string{
		`{"cases":"many"}`:            "with: cases: found string, expected an integer",
		`{"cases":1.5}`:               "with: cases: found number 1.5, expected an integer",
		`{"seed":-1}`:                 "with: seed: found number -1, expected an integer",
		`{"tool":"add"}`:              "with: tool: found string, expected a list",
		`{"tool":[1]}`:                "with: tool: found number, expected a string",
		`{"wire":1}`:                  "with: wire: found number, expected a boolean",
		`[1]`:                         "with: options: found array, expected a mapping",
		`{"cases":1,"stateful":true}`: "",
	} {
		err := decodeWith([]byte(with), &fuzzWith{})
		if got := ""; err != nil {
			if got = err.Error(); want == "" || !strings.Contains(got, want) {
				t.Errorf("%s: %s, want %q", with, got, want)
			}
		} else if want != "" {
			t.Errorf("%s: no error, want %q", with, want)
		}
	}
}

// Options that are no mapping are found before anything starts.
func TestOptionsThatAreNone(t *testing.T) {
	for with, want := range map[string]string{"[1]": "with: found a list, expected a mapping of tool, seed, cases",
		"many": "with: found a string (many), expected a mapping of tool, seed, cases", `"${all}"`: "",
		"{cases: 1}": ""} {
		text := "servers: {a: demo}\nvariables: {all: {cases: 1}}\nfuzz:\n  - {name: f, with: " + with + "}\n"
		plan, problems := suite.Load(suite.Files{Read: only("suite", text)}, nil, "suite")
		if len(problems) > 0 {
			t.Fatalf("%s: %v", with, problems)
		}
		if got := checkWith(plan); (len(got) > 0) != (want != "") ||
			want != "" && !strings.Contains(got.Error(), "suite:4:21: "+want) {
			t.Errorf("%s: %v, want %q", with, got, want)
		}
	}
}
