package mock

import (
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/recording"
)

// unmasked returns the first recorded key that equals a key when its redacted values are ignored; empty if none does.
func (s *Server) unmasked(key string) string {
	for _, masked := range s.masked {
		if recording.MatchesRedacted(masked, key) {
			return masked
		}
	}
	return ""
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
