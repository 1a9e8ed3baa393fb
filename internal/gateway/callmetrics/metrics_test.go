package callmetrics

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/gateway/invoke"
)

// Calls are counted by tool and class of callers; neither many users nor names of unknown tools make many series.
func TestCallsByToolAndClass(t *testing.T) {
	var m Calls
	see := func(caller, tool, outcome string) {
		m.Observe(invoke.Record{Server: "mail", Tool: tool, Caller: caller, Outcome: outcome, Elapsed: time.Millisecond})
	}
	see("ann", "send", "SUCCESS")
	for i := range 5000 {
		see(fmt.Sprintf("user %d [reader writer]", i), "send", "SUCCESS")
		see("bob", fmt.Sprintf("guess_%d", i), "NotFoundError")
	}
	var text strings.Builder
	m.Write(&text, nil, 0)
	for _, want := range []string{
		`mcptest_gateway_calls_total{server="mail",tool="send",caller="ann",outcome="SUCCESS"} 1` + "\n",
		`mcptest_gateway_calls_total{server="mail",tool="send",caller="[reader writer]",outcome="SUCCESS"} 5000` + "\n",
		`mcptest_gateway_calls_total{server="",tool="other",caller="bob",outcome="NotFoundError"} 5000` + "\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("metrics lack %s", want)
		}
	}
	if n := strings.Count(text.String(), "mcptest_gateway_calls_total{"); n != 3 {
		t.Errorf("%d series, want 3", n)
	}
	for i := range 3 * maxSeries {
		see("ann", fmt.Sprintf("tool_%d", i), "SUCCESS")
	}
	text.Reset()
	m.Write(&text, nil, 0)
	if n := strings.Count(text.String(), "mcptest_gateway_calls_total{"); n != maxSeries+1 {
		t.Errorf("%d series, want %d", n, maxSeries+1)
	}
	if want := fmt.Sprintf(`tool="other",caller="other",outcome="SUCCESS"} %d`, 2*maxSeries+3); !strings.Contains(
		text.String(), want) {
		t.Errorf("metrics lack %s", want)
	}
}
