package suite

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/suite/outcome"
	"github.com/mcptest-dev/mcptest/internal/expression"
)

// A captured is where a captured value comes from: a location in the response, and optionally a jq expression for the
// value there.
type captured struct {
	path       outcome.Path
	expression *expression.Expression // nil for the value itself
}

// parseCaptured parses "result.content[0].text | fromjson | .id".
func parseCaptured(text string) (captured, error) {
	location, source, piped := strings.Cut(text, " | ")
	p, err := outcome.ParsePath(location)
	if err != nil || !piped {
		return captured{path: p}, err
	}
	e, err := expression.Compile(source)
	return captured{p, e}, err
}

// capture stores values for later steps.
func capture(ctx context.Context, c *Call, a *outcome.Outcome, in scope) error {
	for name, text := range c.Capture {
		from, err := parseCaptured(text)
		if err != nil {
			return err
		}
		raw := a.Find(from.path)
		if raw != nil && from.expression != nil {
			if raw, err = from.expression.First(ctx, raw); err != nil {
				return fmt.Errorf("capture %s: %s: %w", name, text, err)
			}
		}
		if raw == nil || from.expression != nil && string(raw) == "null" {
			return fmt.Errorf("capture %s: %s not found in the response\ngot:  %s", name, text,
				clip.Sized(string(a.Result()), maxDisplayed))
		}
		in.Captured[name] = json.RawMessage(raw)
	}
	return nil
}

// hasCaptured reports whether the step has captured all that later steps may need.
func (c *Call) hasCaptured(in scope) bool {
	for name := range c.Capture {
		if _, ok := in.Captured[name]; !ok {
			return false
		}
	}
	return true
}
