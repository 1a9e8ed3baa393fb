package target

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/config"
)

// Settings are not redacted, secrets are: an ordinary value would hide much of a server's output.
func TestOrdinary(t *testing.T) {
	for value, want := range map[string]bool{
		"short1A": true, "eight888": false, "lower-case_words,*:": true, "UPPER_CASE-WORDS": true,
		"127.0.0.1:8080": true,
		"/usr/bin/X1":    true, "./bin/Tool1": true, "~/Tool1234": true, `C:\Tools1`: true, `CX\Tools1`: false,
		"http://Host1/path": true, "https://Host1/path": true, "https://h/?token=Abc12345": false,
		"ftp://Host1/path": false, "Abcdef123456": false, "abcdefG1": false,
	} {
		if got := ordinary(value); got != want {
			t.Errorf("ordinary(%q) = %v, expected %v", value, got, want)
		}
	}
}

func TestSecretArgs(t *testing.T) {
	for args, want := range map[string]string{
		"--api-key X1":          "X1",
		"--api-key=X1":          "X1",
		"--api-key --verbose":   "",
		"--api-key":             "",
		"api-key X1":            "",
		"--token= --port 1":     "",
		"--verbose X1":          "",
		"-token X1 --secret=X2": "X1,X2",
	} {
		got := secretArgs(strings.Fields(args))
		got = slices.DeleteFunc(got, func(v string) bool { return v == "" })
		if strings.Join(got, ",") != want {
			t.Errorf("secretArgs(%s) = %q, expected %q", args, got, want)
		}
	}
}

func TestUnquote(t *testing.T) {
	for value, want := range map[string]string{
		`"a"`: "a", `'a'`: "a", `""`: "", `"`: `"`, `"a'`: `"a'`, "xax": "xax", "a": "a", "": "", "`a`": "`a`",
		`"a" "b"`: `a" "b`,
	} {
		if got := unquote(value); got != want {
			t.Errorf("unquote(%s) = %s, expected %s", value, got, want)
		}
	}
}

// What a user approves is shown as one argument each.
func TestQuoted(t *testing.T) {
	for arg, want := range map[string]string{
		"plain": "plain", "": `""`, "two words": `"two words"`, `quo"te`: `"quo\"te"`, "it's": `"it's"`,
		`back\slash`:  `"back\\slash"`,
		"line\nbreak": `"line\nbreak"`, "hidden\u200bspace": `"hidden\u200bspace"`,
	} {
		if got := quoted(arg); got != want {
			t.Errorf("quoted(%q) = %s, expected %s", arg, got, want)
		}
	}
}

// An entry of a config file is resolved by itself, and one that names a missing variable is refused.
func TestResolveEntry(t *testing.T) {
	sys := newSystem(t, "PATH=/bin")
	file := write(t, filepath.Join(sys.Dir, "servers.json"),
		`{"mcpServers":{"good":{"command":"server","args":["x"]},"bad":{"command":"server","args":["${MISSING}"]}}}`)
	all, err := config.Load(sys.System, file)
	if err != nil || len(all.Entries) != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	for _, entry := range all.Entries {
		r, err := ResolveEntry(sys, entry)
		switch entry.Name {
		case "good":
			if err != nil || !slices.Equal(r.Target.Command, []string{"server", "x"}) {
				t.Errorf("good: %+v, %v", r, err)
			}
		case "bad":
			if err == nil || r != nil {
				t.Errorf("bad: %+v, %v; expected an error", r, err)
			}
		}
	}
}
