package fuzz

import (
	"strings"
	"testing"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// TestPastedSeverity wants code in an argument to be critical only if a condition in it was evaluated, with both calls as evidence.
func TestPastedSeverity(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		severity finding.Severity
		message  string
	}{
		"pastes into JavaScript":      {finding.Critical, "part of JavaScript code: the result depends on"},
		"pastes into Python":          {finding.Error, `part of Python code: zz" causes its syntax error, zz does not`},
		"pastes into a shell command": {finding.Error, "part of shell code: zz' causes"},
	} {
		result, err := Run(t.Context(), Options{Open: openCreature(creature(t, name)), May: anyTool, Seed: 1, Cases: maxCases,
			Hang: 30 * time.Second, Shrink: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		found := of(result, "FUZZ-020")
		if found == nil || found.Severity != want.severity || !strings.Contains(found.Breach, want.message) || len(found.Frames) != 4 {
			t.Errorf("%s: got %+v, expected %s with %q and two calls", name, found, want.severity, want.message)
		}
	}
}

// TestSharedServer proves nothing with a condition where the server is shared.
func TestSharedServer(t *testing.T) {
	t.Parallel()
	result, err := Run(t.Context(), Options{Open: openCreature(creature(t, "pastes into JavaScript")), May: anyTool, Seed: 1,
		Cases: maxCases, Hang: 30 * time.Second, Shrink: time.Minute, Gentle: true})
	if err != nil {
		t.Fatal(err)
	}
	if found := of(result, "FUZZ-020"); found == nil || found.Severity != finding.Error {
		t.Errorf("got %+v, expected an error", found)
	}
}
