package httpapi_test

import (
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/view"
)

// A call that ends the server says how it ended, and not merely that there was no answer.
func TestCallThatEndsTheServerSaysHow(t *testing.T) {
	p := newPage(t, nil, "")
	l := p.connect(view.NewLink{Server: "builtin-demo-flawed"})
	c := p.call(l.ID, view.NewCall{Name: "divide", ArgumentsJSON: `{"a":0,"b":0}`})
	if c.Status != view.CallFailed || c.Verdicts == nil || c.Verdicts.Transport == nil {
		t.Fatalf("the call is %+v, want it failed for want of an answer", c)
	}
	if got := c.Verdicts.Transport; got.Kind != view.KindUnreachable ||
		!strings.Contains(got.Message, "divide by zero") {
		t.Errorf("it failed with %s: %s\nwant %s and what the server died of", got.Kind, got.Message,
			view.KindUnreachable)
	}
}
