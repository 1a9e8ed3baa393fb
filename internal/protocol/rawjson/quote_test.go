package rawjson

import "testing"

func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"":              `""`,
		"plain <&>":     `"plain <&>"`,
		`a "b" \c`:      `"a \"b\" \\c"`,
		"line\nÄ😀\x00":  `"line\nÄ😀\u0000"`,
		"\"<script>&":   `"\"<script>&"`,
		"broken \xff e": `"broken � e"`,
	} {
		if got := string(AppendQuote([]byte("x"), text)); got != "x"+want {
			t.Errorf("%q: got %s, expected x%s", text, got, want)
		}
		if got := string(Quote(text)); got != want {
			t.Errorf("%q: got %s, expected %s", text, got, want)
		}
	}
}
