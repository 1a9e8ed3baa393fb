package load

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
	"github.com/mcptest-dev/mcptest/internal/protocol/wire"
)

// A server whose connections break has died, even if the last question takes longer than it may: on a busy machine.
func TestSlowDeathIsNoDeadlock(t *testing.T) {
	var calls atomic.Int64
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.NewDecoder(r.Body).Decode(&m)
		result := `{}`
		switch {
		case m.Method == "initialize":
			result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x",` +
				`"version":"1"}}`
		case m.ID == nil:
			w.WriteHeader(http.StatusAccepted)
			return
		case m.Method == "ping":
			<-r.Context().Done() // as slow as the machine
			return
		case calls.Add(1) > 20:
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + result + `}`))
	}))
	defer web.Close()
	s, err := mcp.Connect(t.Context(), wire.Target{URL: web.URL}, nil, &mcp.Options{Protocol: spec.NewestLegacy})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	before := aliveTimeout
	aliveTimeout = 50 * time.Millisecond
	defer func() { aliveTimeout = before }()
	report, sum := Run(t.Context(), s, &Options{Pace: Pace{Rate: 100, Duration: 5 * time.Second,
		Silence: 200 * time.Millisecond, Drain: time.Minute},
		Requests: []*Request{{Tool: "t", Arguments: json.RawMessage(`{}`)}}})
	f := found(report, "load/died")
	if f == nil || sum.Deadlock || strings.TrimSpace(sum.Died) == "" {
		t.Errorf("found %v, deadlock %v, died %q; want load/died", rulesOf(report), sum.Deadlock, sum.Died)
	}
}
