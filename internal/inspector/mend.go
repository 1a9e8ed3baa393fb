package inspector

import (
	"context"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A MendInput requests a tool's definition with a fix applied.
type MendInput struct {
	Tool  string `json:"tool"`
	Edits []Edit `json:"edits"` // of a finding's fix
}

// A Mended is a tool's definition with a fix applied. The definition on the server does not change.
type Mended struct {
	AfterJSON string `json:"after_json"` // indented, otherwise unchanged except for the fix
	Diff      string `json:"diff"`       // line by line, in the format of diff -u
}

// Mend applies a fix to the definition that the server sent.
func (i *Inspector) Mend(ctx context.Context, id string, in MendInput) (Mended, error) {
	tool, err := i.tool(ctx, id, in.Tool)
	if err != nil {
		return Mended{}, err
	}
	after, err := schema.Apply(tool, edits(in.Edits))
	if err != nil {
		return Mended{}, usage("the fix no longer matches the definition: %v", err).hint("run the check again: the definition may have changed")
	}
	was, is := indent(tool), indent(after)
	return Mended{AfterJSON: is, Diff: string(diff.Diff("sent", []byte(was+"\n"), "mended", []byte(is+"\n")))}, nil
}
