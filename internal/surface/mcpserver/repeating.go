package mcpserver

import (
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/ops/engines"
	"github.com/mcptest-dev/mcptest/internal/protocol/serve"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A repetition is a call of one of our tools that repeats a finding.
type repetition struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
}

// engineTools are the tools that run the rules of one engine.
var engineTools = map[string]string{"schema-lint": "lint_schemas", "conform": "check_conformance"}

// repeat returns the calls that repeat a finding: those of the server's tools, or the check alone.
func repeat(f *finding.Finding) []repetition {
	if calls := repeated(f.Calls); len(calls) > 0 {
		return calls
	}
	engine := engines.EngineOf(f.Rule)
	switch {
	case engineTools[engine] != "":
		return []repetition{{engineTools[engine], serve.Encode(map[string]any{"rules": []string{f.Rule}})}}
	case engine == "fuzz" && f.Where.Subject != "":
		return []repetition{{"fuzz_tool", serve.Encode(map[string]any{"tool": []string{f.Where.Subject}})}}
	}
	return nil
}

// repeated returns the calls that show a finding.
func repeated(calls []finding.Call) []repetition {
	var all []repetition
	for _, c := range calls {
		one := repetition{"call_tool", serve.Encode(ordered{"name", c.Tool, "arguments", c.Arguments,
			"skip_validation", true})}
		if all = append(all, one); c.Times > 1 {
			all = append(all, one)
		}
	}
	return all
}

// forUser returns the command that repeats a finding; empty if there is none.
func forUser(f *finding.Finding) string {
	engine := engines.EngineOf(f.Rule)
	if f.Reproduce != "" || engineTools[engine] == "" {
		return f.Reproduce
	}
	return "mcptest " + engine + " --rules " + workbench.QuoteWord(f.Rule) + " TARGET"
}
