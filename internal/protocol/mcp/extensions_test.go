package mcp

import (
	"encoding/json"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// The client declares its extensions in every revision but the first; tasks are one only from 2026-07-28 on.
func TestDeclaredExtensions(t *testing.T) {
	const both = `"io.modelcontextprotocol/skills":{},"io.modelcontextprotocol/ui":{"mimeTypes":` +
		`["text/html;profile=mcp-app"]}`
	all := Options{Extensions: AllExtensions()}
	for _, c := range []struct {
		opts           Options
		revision, want string
	}{
		{Options{}, spec.July2026, `{}`},
		{all, spec.November2024, `{}`},
		{all, spec.March2025, `{"extensions":{` + both + `}}`},
		{all, spec.November2025, `{"extensions":{` + both + `}}`},
		{all, spec.July2026, `{"extensions":{` + both + `}}`},
		{Options{Tasks: true}, spec.July2026, `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`},
		{Options{Tasks: true, Extensions: map[string]json.RawMessage{"a.example/b": json.RawMessage(`{"c":1}`)}},
			spec.July2026, `{"extensions":{"a.example/b":{"c":1},"io.modelcontextprotocol/tasks":{}}}`},
	} {
		if got := string(c.opts.capabilities(c.revision)); got != c.want {
			t.Errorf("%s: %s, want %s", c.revision, got, c.want)
		}
	}
}
