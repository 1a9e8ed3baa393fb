package spec

import "testing"

func TestHeaderValue(t *testing.T) {
	for text, want := range map[string]string{
		"":                "",
		"echo":            "echo",
		"a b\tc":          "a b\tc",
		" a":              "=?base64?IGE=?=",
		"a ":              "=?base64?YSA=?=",
		"é":               "=?base64?w6k=?=",
		"a\nb":            "=?base64?YQpi?=",
		"\x7f":            "=?base64?fw==?=",
		"=?base64?YQ==?=": "=?base64?PT9iYXNlNjQ/WVE9PT89?=",
		"=?base64?":       "=?base64?",
	} {
		if got := HeaderValue(text); got != want {
			t.Errorf("HeaderValue(%q) = %q, want %q", text, got, want)
		}
	}
}

func FuzzHeaderValue(f *testing.F) {
	for _, seed := range []string{"", "a", " a", "é", "\r\nX: y", "=?base64?YQ==?=", "\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		value := HeaderValue(text)
		for _, c := range []byte(value) {
			if c != '\t' && (c < 0x20 || c >= 0x7f) {
				t.Fatalf("HeaderValue(%q) = %q", text, value)
			}
		}
		if back := HeaderText(value); back != text {
			t.Fatalf("%q comes back as %q by %q", text, back, value)
		}
	})
}
