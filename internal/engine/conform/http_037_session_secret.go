package conform

import (
	"context"
	"math/big"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

var http037 = &Check{
	Rule: finding.Rule{
		ID:       "HTTP-037",
		Severity: finding.Warning,
		Spec:     spec.URL(spec.November2025, "basic/transports#session-management"),
		Doc: `session IDs should not be predictable

Anyone who can guess a session ID can use the session. Sequential or short IDs can be guessed. Use a random UUID or at
least 128 random bits.`,
	},
	Since: spec.March2025,
	Until: spec.NewestLegacy,
	On:    OnHTTP,
	Run: func(ctx context.Context, p *CheckContext) error {
		var ids []string
		var last *HTTPSession
		for range 3 {
			v, err := p.VisitSession(ctx)
			if err != nil {
				return err
			}
			ids, last = append(ids, v.Session), v
		}
		if why := predictable(ids); why != "" {
			p.Report(Evidence{Answer: last.Handshake, Subject: "Mcp-Session-Id"},
				"session IDs %s: expected random IDs, got %s", why, strings.Join(ids, ", "))
		}
		return nil
	},
}

// minSessionID is the length below which an ID has too little randomness.
const minSessionID = 16

// counter matches the last run of digits in an ID, and its prefix and suffix.
var counter = lazyregexp.New(`^(.*?)([0-9]+)([^0-9]*)$`)

// predictable returns why the IDs of consecutive sessions can be guessed; empty if they cannot.
func predictable(ids []string) string {
	var numbers []*big.Int
	around := ""
	for _, id := range ids {
		parts := counter().FindStringSubmatch(id)
		if parts == nil || len(numbers) > 0 && parts[1]+"\x00"+parts[3] != around {
			numbers = nil
			break
		}
		around = parts[1] + "\x00" + parts[3]
		n, _ := new(big.Int).SetString(parts[2], 10)
		numbers = append(numbers, n)
	}
	if len(numbers) == len(ids) {
		for i := 1; i < len(numbers); i++ {
			step := new(big.Int).Sub(numbers[i], numbers[i-1])
			if step.Sign() <= 0 || step.Cmp(big.NewInt(100_000)) > 0 { // millisecond timestamps also count up
				return short(ids)
			}
		}
		return "count up"
	}
	return short(ids)
}

func short(ids []string) string {
	if len(ids[0]) < minSessionID {
		return "are short"
	}
	return ""
}
