package mcpserver

import (
	"context"
	_ "embed"
)

// suiteGuideText explains the format of suites on one page. A test runs its examples.
//
//go:embed suite_guide.md
var suiteGuideText string

func suiteGuideTool() tool {
	return tool{
		name:  "suite_guide",
		doc:   "Explains suites on one page, with three examples.",
		input: closed(""),
		run: func(_ context.Context, c *call) (any, error) {
			return ordered{"success", true, "guide", suiteGuideText, "metadata", timing{c.elapsed()}}, nil
		},
	}
}
