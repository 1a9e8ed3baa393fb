package inspector

import (
	"context"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/view"
)

// A ApplyFixInput requests a tool's definition with a fix applied.
type ApplyFixInput struct {
	Tool  string      `json:"tool"`
	Edits []view.Edit `json:"edits"` // of a finding's fix
}

// A FixedDefinition is a tool's definition with a fix applied. The definition on the server does not change.
type FixedDefinition struct {
	AfterJSON string `json:"after_json"` // indented, otherwise unchanged except for the fix
	Diff      string `json:"diff"`       // line by line, in the format of diff -u
}

// ApplyFix applies a fix to the definition that the server sent.
func (i *Inspector) ApplyFix(ctx context.Context, id string, in ApplyFixInput) (FixedDefinition, error) {
	tool, err := i.tool(ctx, id, in.Tool)
	if err != nil {
		return FixedDefinition{}, err
	}
	after, err := schema.Apply(tool, edits(in.Edits))
	if err != nil {
		return FixedDefinition{}, view.Usage("the fix no longer matches the definition: %v",
			err).WithHint("run the check again: the definition may have changed")
	}
	was, is := view.Indent(tool), view.Indent(after)
	return FixedDefinition{AfterJSON: is, Diff: string(diff.Diff("sent", []byte(was+"\n"), "fixed", []byte(is+"\n")))},
		nil
}
