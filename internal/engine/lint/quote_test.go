package lint

import "testing"

func TestQuoted(t *testing.T) {
	for text, want := range map[string]string{
		"a\u200bb": `"a\u{200b}b"`, "x\U000e0068": `"x\u{e0068}"`, `\u200b`: `"\\u200b"`, "é\n": `"é\n"`,
		`a\\u0041`: `"a\\\\u0041"`,
	} {
		if got := quoted(text); got != want {
			t.Errorf("quoted(%+q) = %s, want %s", text, got, want)
		}
	}
}
