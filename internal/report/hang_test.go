package report

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestHangFitsTheColumnsAndBreaksNoWord(t *testing.T) {
	for _, line := range []string{
		"hint: run mcptest resources list or mcptest resources templates to see the resources of the server",
		"    \x1b[31mnot called:\x1b[0m one (no readOnlyHint), two (no readOnlyHint), three (no readOnlyHint), four",
		"\x1b]8;;https://example.com/a/very/long/address/that/is/not/shown\x1b\\TOOL-009\x1b]8;;\x1b\\  " +
			"call of an unknown tool must fail with -32602 and not with a result that looks like a success",
	} {
		for _, columns := range []int{40, 80, 120} {
			got := Hang(line, columns)
			for part := range strings.SplitSeq(got, "\n") {
				if ansi.StringWidth(part) > columns {
					t.Errorf("%d columns: %q has %d", columns, part, ansi.StringWidth(part))
				}
			}
			if a, b := strings.Fields(ansi.Strip(got)), strings.Fields(ansi.Strip(line)); !equal(a, b) {
				t.Errorf("%d columns: words of %q, expected those of %q", columns, got, line)
			}
		}
		if got := Hang(line, 0); got != line {
			t.Errorf("in a pipe: %q", got)
		}
	}
}

func equal(a, b []string) bool { return strings.Join(a, "\x00") == strings.Join(b, "\x00") }

func TestHangIndentsContinuationLines(t *testing.T) {
	got := Hang("  name: one two three four five six seven eight", 40)
	if want := "  name: one two three four five six\n    seven eight"; got != want {
		t.Errorf("got %q, expected %q", got, want)
	}
	if got := Hang("see https://example.com/an/address/that/is/longer/than/the/line", 40); !strings.HasSuffix(got,
		"\n  https://example.com/an/address/that/is/longer/than/the/line") {
		t.Errorf("a long word: %q", got)
	}
}

func TestLayoutKeepsParts(t *testing.T) {
	got := Layout([]string{"search(", "query: string, ", "limit?: integer", ")", "  read-only"}, 4, 40)
	if want := "search(query: string, limit?: integer)\n    read-only"; got != want {
		t.Errorf("got %q, expected %q", got, want)
	}
}

func TestWrappedCommandIsTheSameCommand(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("sh is not installed")
	}
	command := `printf '%s\n' --rules STDIO-001 --env 'NAME=a value with spaces' "double 'quoted' text" a\ b ` +
		`-- /opt/some/python/bin/python server.py --flag 'it'\''s'`
	want, err := exec.Command(sh, "-c", command).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, columns := range []int{60, 80} {
		wrapped := Command("          ", command, columns)
		if !strings.Contains(wrapped, " \\\n") {
			t.Errorf("%d columns: not wrapped: %q", columns, wrapped)
		}
		for line := range strings.SplitSeq(wrapped, "\n") {
			if ansi.StringWidth(line) > columns {
				t.Errorf("%d columns: %q", columns, line)
			}
		}
		got, err := exec.Command(sh, "-c", wrapped).Output()
		if err != nil || string(got) != string(want) {
			t.Errorf("%d columns: %q runs as %q (%v), expected %q", columns, wrapped, got, err, want)
		}
	}
	if got := Command("", command, 0); got != command {
		t.Errorf("in a pipe: %q", got)
	}
}
