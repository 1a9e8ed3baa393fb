package fuzz

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/cases"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/mcp"
)

// A tool of which each valid call failed is named, unless a finding says why.
func TestReportFailing(t *testing.T) {
	const fine, refused = `{"content":[]}`, `{"content":[{"type":"text","text":"no such item"}],"isError":true}`
	for name, c := range map[string]struct {
		results  []string
		allowed  bool
		severity finding.Severity // of a finding of the tool
		want     []FailingTool
	}{
		"each fails":            {[]string{refused, refused, refused}, true, finding.Info, []FailingTool{{"get", 3, "no such item"}}},
		"one succeeds":          {[]string{refused, refused, fine, refused}, true, finding.Info, nil},
		"too few":               {[]string{refused, refused}, true, finding.Info, nil},
		"none is valid":         {[]string{refused, refused, refused}, false, finding.Info, nil},
		"a finding explains it": {[]string{refused, refused, refused}, true, finding.Warning, nil},
	} {
		subject := &fuzzTarget{name: "get"}
		step := Step{Case: cases.Case{Tool: "get", Allowed: c.allowed}}
		for _, result := range c.results {
			subject.failing.count(step, &observation{Case: step.Case, Exchange: &mcp.Exchange{Reply: &mcp.Message{Result: json.RawMessage(result)}}})
		}
		r := &runner{tools: []*fuzzTarget{subject}, order: []string{"one"},
			found: map[string]*Found{"one": {Severity: c.severity, Steps: []Step{step}}}}
		if got := r.reportFailing(); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %+v, expected %+v", name, got, c.want)
		}
	}
}
