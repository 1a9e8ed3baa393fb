package clip

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestClip(t *testing.T) {
	for _, c := range []struct {
		text                     string
		n                        int
		clipped, sized, by, head string // by: by characters
	}{
		{"", 3, "", "", "", ""},
		{"abc", 3, "abc", "abc", "abc", "abc"},
		{"abcd", 3, "abc…", "abc… (4 bytes)", "ab…", "abc"},
		{"äöü", 3, "ä…", "ä… (6 bytes)", "äöü", "ä"},
		{"äöüß", 4, "äö…", "äö… (8 bytes)", "äöüß", "äö"},
		{"äöüß", 3, "ä…", "ä… (8 bytes)", "äö…", "ä"},
		{"😀😀", 3, "…", "… (8 bytes)", "😀😀", ""},
		{"abcd", 1, "a…", "a… (4 bytes)", "…", "a"},
		{"a\xffb", 3, "a\uFFFDb", "a\uFFFDb", "a\uFFFDb", "a\uFFFDb"},
	} {
		for name, got := range map[string][2]string{
			"Text": {Text(c.text, c.n), c.clipped}, "Sized": {Sized(c.text, c.n), c.sized},
			"Runes": {Runes(c.text, c.n), c.by}, "Head": {Head(c.text, c.n), c.head},
		} {
			if got[0] != got[1] {
				t.Errorf("%s(%q, %d) = %q, expected %q", name, c.text, c.n, got[0], got[1])
			}
		}
	}
}

// Bytes that are no characters neither stop the cut nor are they kept.
func TestClipInvalidUTF8(t *testing.T) {
	text := "start " + strings.Repeat("\x80", 100)
	for name, got := range map[string]string{
		"Text": Text(text, 50), "Sized": Sized(text, 50), "Runes": Runes(text, 50), "Head": Head(text, 50),
	} {
		if !utf8.ValidString(got) || !strings.HasPrefix(got, "start \uFFFD") {
			t.Errorf("%s: %q, expected valid UTF-8 with the start of the text", name, got)
		}
	}
}

// TestDifferences shows of two long texts the part that differs.
func TestDifferences(t *testing.T) {
	long := strings.Repeat("é", 200)
	a, b := Differences(long+"10 books", long+"none")
	if want := `"…éééééééééé10 books"`; a != want || b != `"…éééééééééénone"` {
		t.Errorf("got %s and %s, want %s", a, b, want)
	}
	if a, b = Differences("up", "down"); a != `"up"` || b != `"down"` {
		t.Errorf("got %s and %s, want whole texts", a, b)
	}
	if a, _ = Differences(long, ""); len(a) > 100 {
		t.Errorf("got %d bytes, want a short text", len(a))
	}
}
