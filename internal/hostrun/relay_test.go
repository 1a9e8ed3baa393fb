package hostrun

import (
	"bytes"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A server that never ends its line must not fill the memory.
func TestEndlessLine(t *testing.T) {
	var lines []string
	s := &lineSplitter{line: func(l []byte) { lines = append(lines, string(l)) }}
	part := bytes.Repeat([]byte("x"), 1<<20)
	for range 2*wire.DefaultMaxFrame/len(part) + 1 {
		if n, err := s.Write(part); n != len(part) || err != nil {
			t.Fatalf("wrote %d bytes: %v", n, err)
		}
	}
	if len(s.rest) > wire.DefaultMaxFrame {
		t.Errorf("%d bytes are kept", len(s.rest))
	}
	if _, _ = s.Write([]byte("\n{}\nrest")); len(lines) != 2 || lines[1] != "{}" || string(s.rest) != "rest" {
		t.Errorf("lines after it: %d, rest %q", len(lines), s.rest)
	}
}
