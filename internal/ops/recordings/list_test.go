package recordings

import (
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/tap"
)

// TestTapListShowsControlCharacters has names as a hostile server, client or recording can give them.
func TestTapListShowsControlCharacters(t *testing.T) {
	const hostile = "evil\x1b]0;title\x07\x1b[2J\nfake line"
	ended := time.Now()
	s := tap.Session{ID: "1", Name: hostile, Command: []string{hostile}, Ended: &ended}
	s.Clients = []tap.Peer{{Name: hostile, Version: hostile}}
	s.Exit = &tap.Exit{Signal: hostile}
	s.Lost = &tap.Loss{Reason: hostile}
	var out strings.Builder
	if err := writeTapList(&out, &TapSessions{Sessions: []tap.Session{s}}); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(out.String(), "\x1b\x07") || strings.Count(out.String(), "\n") != 2 {
		t.Errorf("got %q, want two lines without control characters", out.String())
	}
}
