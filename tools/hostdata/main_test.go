package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/hosts"
	"github.com/mcptest-dev/mcptest/internal/realdata"
)

// floor is the share of tools for which a profile must agree with the recording of its host.
const floor = 0.995

func TestAgreement(t *testing.T) {
	results, err := compare(realdata.Path(t, "hosts"), func(int) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	if len(results) < 9 {
		t.Errorf("%d hosts were compared, want at least 9", len(results))
	}
	for _, r := range results {
		t.Logf("%s %s: %d of %d tools the same", r.Host, r.Version, r.Same, r.Tools)
		if r.Tools < 1000 || r.Agreement() < floor {
			t.Errorf("%s: %d of %d tools agree, want %.1f%%:\n%s", r.Host, r.Same, r.Tools, 100*floor,
				strings.Join(r.Disagreements, "\n"))
		}
		if r.DroppedForeseen < r.Dropped || r.LostForeseen < r.Lost {
			t.Errorf("%s: %d of %d dropped and %d of %d lost tools foreseen", r.Host, r.DroppedForeseen, r.Dropped,
				r.LostForeseen, r.Lost)
		}
	}
}

// TestDisagreement checks that each part of a tool counts.
func TestDisagreement(t *testing.T) {
	const definition = `{"name":"a","description":"D","inputSchema":{"type":"object",` +
		`"properties":{"x":{"default":1.0}}}}`
	profile, _ := hosts.Find("qwen-code")
	for _, test := range []struct{ record, want string }{
		{`{"outcome":"changed","given":{"name":"mcp__t__a","description":"D",` +
			`"parameters":{"properties":{"x":{"default":1}},"type":"object"}}}`, ""},
		{`{"outcome":"changed","given":{"name":"a","description":"D","parameters":{}}}`, `name: recorded "" "a"`},
		{`{"outcome":"changed","given":{"name":"mcp__t__a","description":"E","parameters":{}}}`,
			`description: recorded "E"`},
		{`{"outcome":"changed","given":{"name":"mcp__t__a","description":"D","parameters":{"type":"object"}}}`,
			`/properties: recorded nothing`},
		{`{"outcome":"dropped"}`, "recorded dropped, profile changed"},
		{`{"outcome":"as sent","given":{"name":"mcp__t__a","description":"D","parameters":{}}}`,
			"recorded as sent, profile changed"},
	} {
		var rec record
		if err := json.Unmarshal([]byte(test.record), &rec); err != nil {
			t.Fatal(err)
		}
		var r result
		r.add(profile, json.RawMessage(definition), rec)
		got := strings.Join(r.Disagreements, "\n")
		if !strings.Contains(got, test.want) || (got == "") != (test.want == "") || r.Same != count(test.want == "") {
			t.Errorf("%s: %q, want %q", test.record, got, test.want)
		}
	}
}
