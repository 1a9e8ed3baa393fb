package hostrun

import "testing"

func TestPrintedVersion(t *testing.T) {
	for text, want := range map[string]string{
		"2.1.325 (Claude Code)":                      "2.1.325",
		"codex-cli 0.166.0\n":                        "0.166.0",
		"GitHub Copilot CLI 1.0.102.\nRun update":    "1.0.102",
		"slow start: 26398ms\nv3.0.65-beta.1":        "3.0.65-beta.1",
		"command not found":                          "",
		"loaded 3 plugins in 2 s, listening on port": "",
	} {
		if got := printedVersion(text); got != want {
			t.Errorf("printedVersion(%q) = %q, want %q", text, got, want)
		}
	}
}
