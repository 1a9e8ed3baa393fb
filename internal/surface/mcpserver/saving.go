package mcpserver

import (
	"cmp"
	"context"
	"errors"

	"github.com/mcptest-dev/mcptest/internal/connections"
	"github.com/mcptest-dev/mcptest/internal/suiterun"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

func saveSuite() tool {
	return tool{
		name: "save_suite", changes: true,
		doc: "Saves a valid suite in the project. The user is asked.",
		input: closed("", need("suite", text("The suite as YAML.", maxJSON)),
			may("file", text("Default: mcptest.yaml.", maxName)),
			may("replace", flag("Replace an existing file."))),
		run: runSave,
	}
}

func runSave(ctx context.Context, c *call) (any, error) {
	in := decode[struct {
		Suite, File string
		Replace     bool
	}](c)
	outline, err := suiterun.Validate.Run(ctx, c.desk.Bench(ctx, nil), &suiterun.ValidateInput{Suite: in.Suite})
	if err != nil {
		return nil, err
	}
	file, err := c.desk.Save(ctx, connections.SavedFile{Name: cmp.Or(in.File, "mcptest.yaml"), Text: in.Suite,
		Replace: in.Replace})
	var refused *connections.RefusedError
	if errors.As(err, &refused) {
		return nil, &failure{Type: executionError, Message: refused.Message, Details: details{"reason": "not_allowed"},
			Suggestion: refused.Hint.In(toolWords), grant: refused.Request}
	}
	if err != nil {
		return nil, err
	}
	return ordered{"success", true, "file", file, "tests", len(outline.Tests), "for_user",
		"mcptest run " + workbench.QuoteWord(file), "metadata", timing{c.elapsed()}}, nil
}
