package report

import "testing"

func TestVisibleJoiners(t *testing.T) {
	for text, want := range map[string]string{
		"👩\u200d💻":              "👩\u200d💻",
		"❤\ufe0f\u200d🔥":        "❤\ufe0f\u200d🔥",
		"می\u200cخواهم":         "می\u200cخواهم",
		"क्\u200dष":             "क्\u200dष",
		"pass\u200dword":        `pass\u{200d}word`,
		"\u200d":                `\u{200d}`,
		"é\u200d\u200dé":        `é\u{200d}\u{200d}é`,
		"a\u200bb":              `a\u{200b}b`,
		"x\u202ey":              `x\u{202e}y`,
		"🏴\U000e0067\U000e007f": `🏴\u{e0067}\u{e007f}`,
	} {
		if got := Visible(text); got != want {
			t.Errorf("Visible(%+q) = %+q, want %+q", text, got, want)
		}
	}
}
