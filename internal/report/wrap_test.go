package report

import "testing"

func TestWrap(t *testing.T) {
	const text = `# SCH-001: A title that is longer than the line may be

Severity: warning. Over stdio.
Source: <https://host.example/a/long/address>

Prose that was broken
elsewhere, and a word-that-is-longer-than-a-line-is.

- a list that stays as it is, however long
    an example --that stays

` + "```sh\nmcptest a very long command that nobody may break\n```\nEnd of it."
	const want = `# SCH-001: A title that is longer than the line may be

Severity: warning. Over
stdio.
Source: <https://host.example/a/long/address>

Prose that was broken
elsewhere, and a
word-that-is-longer-than-a-line-is.

- a list that stays as it is, however long
    an example --that stays

` + "```sh\nmcptest a very long command that nobody may break\n```\nEnd of it."
	if got := Wrap(text, 24); got != want {
		t.Errorf("Wrap() =\n%s\nwant\n%s", got, want)
	}
}

func TestFill(t *testing.T) {
	if got, want := Fill("SCH-001  ", "         ", "An object  declares nothing.", 20),
		"SCH-001  An object\n         declares\n         nothing."; got != want {
		t.Errorf("Fill() = %q, want %q", got, want)
	}
	if got := Fill("a  ", "   ", "", 20); got != "a  " {
		t.Errorf("Fill() of nothing = %q", got)
	}
}
