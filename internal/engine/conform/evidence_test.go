package conform

import (
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A finding about a secret does not show it.
func TestEvidenceHidesSecrets(t *testing.T) {
	const token = "ntk_live_9f4c2e7b81d04a6fa3c55e0b7d219c48"
	for _, text := range []string{"refused: /notes?id=1&token=" + token + " (no)",
		"API_KEY=" + token + ", and postgres://app:" + token + "@db/app", "x?token=" + token + " y?token=" + token,
		strings.Repeat("a ", evidenceSize/2-10) + "&token=" + token} {
		got := evidence(wire.Frame{From: wire.Server, Body: []byte(`{"text":"` + text + `"}`)})
		if strings.Contains(got, token[:12]) {
			t.Errorf("%s, expected no token", got)
		}
	}
}
