package fuzz

import (
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/echo"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// differentShape compares two responses to the same call: whether both succeeded, the types of their content, and the
// properties and types of their structured content. Values may differ, and arrays may have different lengths.
func differentShape(a, b *observation) *violation {
	if a.Exchange == nil || b.Exchange == nil || a.Exchange.Reply == nil || b.Exchange.Reply == nil {
		return nil
	}
	first, second := shapeOf(a), shapeOf(b)
	if first == second {
		return nil
	}
	return &violation{cause: "shape", message: "the same call returned " + a.named(first) + " and then " + b.named(second)}
}

// shapeKey represents such a violation of a tool.
func shapeKey(t *fuzzTarget) string {
	return keyOf(ruleOf("FUZZ-011"), t.name, &violation{cause: "shape"})
}

// named is the shape of a response for a message, with what it says if the tool failed.
func (s *observation) named(shape string) string {
	if shape == failedShape {
		return failedShape + " (" + clip.Sized(s.errorText(), maxDisplayed) + ")"
	}
	return clip.Sized(shape, maxDisplayed)
}

// failedShape is the shape of a response of a tool that failed.
const failedShape = "isError"

func shapeOf(s *observation) string {
	if s.Exchange.Reply.Error != nil {
		return "an error"
	}
	result := s.Exchange.Reply.Result
	failed, _ := schema.Get(result, "/isError")
	content, _ := schema.Get(result, "/content")
	blocks, _ := schema.Elements(content)
	var kinds []string
	for _, b := range blocks {
		kind, _ := schema.Get(b, "/type")
		kinds = append(kinds, schema.Plain(kind))
	}
	kinds = slices.Compact(kinds)
	structured, _ := schema.Get(result, "/structuredContent")
	out := strings.Join(kinds, "+")
	if string(failed) == "true" {
		return failedShape
	}
	if structured != nil {
		out += " with " + echo.Shape(structured)
	}
	return out
}
