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
	return &violation{cause: "shape", message: "the same call returned " + clip.Sized(first, maxDisplayed) +
		" and then " +
		clip.Sized(second, maxDisplayed)}
}

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
		return "isError"
	}
	if structured != nil {
		out += " with " + echo.Shape(structured)
	}
	return out
}
