package conform

import (
	"bytes"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A session that has not read the list of tools itself repeats arguments in headers all the same: what it calls is
// served.
func TestArgumentsInHeaders(t *testing.T) {
	t.Parallel()
	opts := calm("2026-07-28", "TOOL-022")
	called := false
	opts.Log = wire.NewTranscript(&wire.TranscriptOptions{OnFrame: func(f wire.Frame) {
		called = called || bytes.Contains(f.Body, []byte(`"name":"locate","arguments"`))
		if f.From == wire.Server && bytes.Contains(f.Body, []byte("-32020")) {
			t.Errorf("refused: %s", f.Body)
		}
	}})
	if _, err := judged(t, mutant{}.target(t, "", OnHTTP), opts); err != nil {
		t.Fatal(err)
	}
	if !called {
		t.Error("the tool was not called")
	}
}
