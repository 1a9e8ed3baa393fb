package npm

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// A person answers what a server asks, and keeps what it asked and told.
type person struct {
	mu    sync.Mutex
	asked []string
	told  []mcp.Message
}

// options are those of a client with every capability that the person stands behind.
func (p *person) options() *mcp.Options {
	return &mcp.Options{Protocol: spec.NewestLegacy, Tasks: true, LogLevel: "debug", Roots: p.roots, Sampling: p.sample,
		Elicitation: p.elicit, OnNotification: p.hear}
}

func (p *person) roots(context.Context) (json.RawMessage, error) {
	return json.RawMessage(`{"roots":[{"uri":"file:///tmp/project","name":"the project"}]}`), nil
}

func (p *person) sample(_ context.Context, params json.RawMessage) (json.RawMessage, error) {
	p.keep(params)
	return json.RawMessage(`{"role":"assistant","content":{"type":"text","text":"a sampled answer"},"model":"none",` +
		`"stopReason":"endTurn"}`), nil
}

func (p *person) elicit(_ context.Context, params json.RawMessage) (json.RawMessage, error) {
	p.keep(params)
	if strings.Contains(string(params), `"mode":"url"`) {
		return json.RawMessage(`{"action":"accept"}`), nil
	}
	return json.RawMessage(`{"action":"accept","content":{"name":"Ada Lovelace","integer":7,"interpretation":"snake"}}`), nil
}

func (p *person) keep(params json.RawMessage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, string(params))
}

func (p *person) hear(m mcp.Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.told = append(p.told, m)
}

// wasAsked reports whether a question held the text.
func (p *person) wasAsked(text string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.asked, func(asked string) bool { return strings.Contains(asked, text) })
}

// mustHear waits for a notification of the method whose params hold the text.
func (p *person) mustHear(t *testing.T, method, text string) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		p.mu.Lock()
		heard := slices.ContainsFunc(p.told, func(m mcp.Message) bool {
			return m.Method == method && strings.Contains(string(m.Params), text)
		})
		p.mu.Unlock()
		if heard {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("no %s with %q came", method, text)
		}
	}
}
