//go:build unix

package wire

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestInterpreter(t *testing.T) {
	for name, tt := range map[string]struct{ script, message, hint string }{
		"missing": {"#!/no/such/program -u\n", `interpreter (#!) "/no/such/program" not found`,
			"install the interpreter"},
		"CR LF":      {"#! /bin/sh\r\necho\r\n", `"/bin/sh\r" not found`, "CR LF"},
		"no shebang": {"echo hello\n", "exec format error", "#!/bin/sh"},
	} {
		path := filepath.Join(t.TempDir(), "script")
		if err := os.WriteFile(path, []byte(tt.script), 0o755); err != nil {
			t.Fatal(err)
		}
		_, err := Dial(t.Context(), Target{Command: []string{path}}, nil)
		var e *Error
		if !errors.As(err, &e) || e.Doing != "start" || !strings.Contains(err.Error(), tt.message) ||
			!strings.Contains(e.Hint.String(), tt.hint) {
			t.Errorf("%s: %v (%+v), want %q and the hint %q", name, err, e, tt.message, tt.hint)
		}
	}
	path := filepath.Join(t.TempDir(), "sound")
	if err := os.WriteFile(path, []byte("#!\t/bin/sh\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := dial(t, Target{Command: []string{path}}, nil).Recv(t.Context())
	var exit *ExitError
	if !errors.As(err, &exit) || exit.Code != 3 {
		t.Errorf("a sound script: %v, want status 3", err)
	}
}
