package config

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// What Keys and Placeholders say is what is read: each example is taken, and something else in its place is refused.
func TestKeysSayWhatIsRead(t *testing.T) {
	sys := System{GOOS: "linux", Home: "/home/ada", Dir: "/src",
		Lookup: func(name string) (string, bool) { return "v", true }}
	for _, key := range Keys() {
		for _, name := range key.Names {
			for value, problems := range map[string]int{key.Example: 0, `[{}]`: 1} {
				base := `"command": "x", `
				if name == "command" || len(key.Names) == 3 { // which is url
					base = ""
				}
				if name == "type" || name == "transport" || name == "headers" {
					base = `"url": "https://x.example", `
				}
				got := Parse(sys, "test", []byte(fmt.Sprintf(`{"mcpServers": {"s": {%s%q: %s}}}`, base, name, value)))
				if len(got.Problems) != problems {
					t.Errorf("%s: %s gives %v; want %d problems", name, value, got.Problems, problems)
				}
			}
		}
		if !json.Valid([]byte(key.Example)) {
			t.Errorf("%v: the example %s is no JSON", key.Names, key.Example)
		}
	}
	for _, p := range Placeholders() {
		got, err := Entry{Command: p.Text, Root: "/src"}.Expand(sys)
		if err != nil || strings.Contains(got.Command, "${") {
			t.Errorf("%s becomes %q, %v", p.Text, got.Command, err)
		}
	}
}
