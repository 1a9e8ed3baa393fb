package hostrun

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
)

// TestModelBounds expects a host that sends much to be counted, and not to be kept in memory.
func TestModelBounds(t *testing.T) {
	m := &model{}
	body := make(json.RawMessage, maxBodies/4)
	for range 10 {
		m.next(body, nil, nil)
	}
	if m.requests != 10 || len(m.bodies) != 4 {
		t.Errorf("%d requests, %d bodies; want 10 and 4", m.requests, len(m.bodies))
	}
	for i := range 100 {
		m.note(hosts.Tool{Name: fmt.Sprint(i)})
	}
	m.tools = append(m.tools, make([]hosts.Tool, maxGiven-len(m.tools))...)
	m.note(hosts.Tool{Name: "one more"})
	m.note(hosts.Tool{Name: "5", Description: "again"})
	if len(m.tools) != maxGiven || m.tools[5].Description != "again" {
		t.Errorf("%d tools, %+v", len(m.tools), m.tools[5])
	}
}
