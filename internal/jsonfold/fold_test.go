package jsonfold

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestLines(t *testing.T) {
	o := Options{Width: 30, Lines: 12, Items: 2, Hide: map[string]bool{"_meta": true}}
	for _, tt := range []struct{ name, raw, want string }{
		{"short", `{"a":1,"b":[true,null]}`, `{"a": 1, "b": [true, null]}`},
		{"empty", `{"a":{},"b":[]}`, `{"a": {}, "b": []}`},
		{"long", `{"name":"echo","arguments":{"message":"hello there"},"n":1e5}`, `
{
  "name": "echo",
  "arguments": {
    "message": "hello there"
  },
  "n": 1e5
}`},
		{"list", `[{"name":"a","title":"The first"},{"name":"b","title":"The second"},3,4]`, `
[
  {
    "name": "a",
    "title": "The first"
  },
  {
    "name": "b",
    "title": "The second"
  },
  … 2 more
]`},
		{"hidden", `{"_meta":{"io.example/long":"` + strings.Repeat("x", 50) + `"},"a":1}`, `{"_meta": {…}, "a": 1}`},
		{"long string", `"` + strings.Repeat("ä", 50) + `"`, `"ääääääääääääääääää… 102 bytes`},
		{"numbers and escapes are as they came", `{"n":1.0e+2,"s":"\u00e9\/"}`, `{"n": 1.0e+2, "s": "\u00e9\/"}`},
		{"duplicate names", `{"a":1,"a":2}`, `{"a": 1, "a": 2}`},
	} {
		got, err := Lines([]byte(tt.raw), o)
		if diff := cmp.Diff(strings.TrimPrefix(tt.want, "\n"), strings.Join(got, "\n")); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", tt.name, err, diff)
		}
	}
	o.Cut = true
	for raw, want := range map[string]string{`{"a":1,"b":{"c":[1,2],"d…`: `{"a": 1, "b": {"c": [1, 2], …}}`,
		`{"a":1,"b":"long…`: `{"a": 1, "b": …}`, `[1,2…`: `[1, 2, …]`} {
		o.Width = 40
		if got, err := Lines([]byte(raw), o); err != nil || strings.Join(got, "\n") != want {
			t.Errorf("%s: %q, %v; want %s", raw, got, err, want)
		}
	}
	o.Cut, o.Width = false, 30
	o.Depth = 1
	if got, _ := Lines([]byte(`{"a":{"name":"a long one","title":"The first"},"b":2}`), o); len(got) != 4 ||
		got[1] != `  "a": {"name": "a … 49 bytes,` {
		t.Errorf("with a depth: %q", got)
	}
	for _, raw := range []string{``, `{`, `{"a"}`, `{} {}`, `hello`} {
		if got, err := Lines([]byte(raw), o); err == nil {
			t.Errorf("%q is shown as %q, want an error", raw, got)
		}
	}
}

// Whatever a server sends, the lines and their number stay within the limits.
func TestLimits(t *testing.T) {
	o := Options{Width: 60, Lines: 20, Items: 3}
	many := "{" + strings.Repeat(`"k":"`+strings.Repeat("v", 70)+`",`, 100_000) + `"z":0}`
	for _, raw := range []string{many, strings.Repeat("[", 5000) + strings.Repeat("]", 5000),
		strings.Repeat(`{"a":`, 90) + `"` + strings.Repeat("x", 1000) + `"` + strings.Repeat("}", 90),
		`{"` + strings.Repeat("n", 500) + `":{"a":"` + strings.Repeat("x", 100) + `"}}`} {
		got, err := Lines([]byte(raw), o)
		if err != nil || len(got) > o.Lines+2 {
			t.Errorf("%.40s…: %d lines, %v", raw, len(got), err)
		}
		for _, line := range got {
			if n := utf8.RuneCountInString(line); n > o.Width &&
				!strings.HasPrefix(line, strings.Repeat(" ", o.Width-4)) {
				t.Errorf("%.40s…: %d columns: %s", raw, n, line)
			}
		}
	}
}
