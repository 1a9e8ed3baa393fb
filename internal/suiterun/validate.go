package suiterun

import (
	"context"
	"fmt"
	"io"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A ValidateInput names suites.
type ValidateInput struct {
	Suite string   `json:"suite,omitempty" cli:"-" max:"262144" jsonschema:"the suite as YAML"`
	Paths []string `json:"paths,omitempty" surface:"cli" cli:"rest" placeholder:"FILE|DIR|GLOB" jsonschema:"suite files, directories or globs"`
}

// A Outline is an overview of suites.
type Outline struct {
	Tests []string `json:"tests"`
}

// suites is the command that groups the operations on suite files.
var suites = workbench.Parent{Name: "suite", Doc: "Validate test suites, and make them from recordings",
	Section: workbench.Maintain, Order: 30}

// Validate reads suites without running them.
var Validate = workbench.Op[ValidateInput, *Outline]{
	Name: "suite validate", Parent: &suites, Tool: "validate_suite", Page: true,
	Doc:     "Check suite files without starting a server\n\nReports all problems with line and column.",
	Example: "mcptest suite validate mcptest.yaml",
	Run: func(_ context.Context, w *workbench.Workbench, in *ValidateInput) (*Outline, error) {
		plan, _, err := Plan(w, &RunInput{Suite: in.Suite, Paths: in.Paths})
		if err != nil {
			return nil, err
		}
		return &Outline{Tests: ids(plan)}, nil
	},
	Text: func(out io.Writer, o *Outline) error {
		_, err := fmt.Fprintf(out, "%s, no problems found\n", workbench.Plural(len(o.Tests), "test"))
		return err
	},
}

// A FormatInput names a file format.
type FormatInput struct {
	Format string `json:"format" cli:"arg" jsonschema:"the file format: suite"`
}

// A FormatSchema is the JSON Schema of a file format.
type FormatSchema struct{ raw []byte }

// RawJSON returns the schema.
func (s *FormatSchema) RawJSON() []byte { return s.raw }

// Schema prints the schema for editors.
var Schema = workbench.Op[FormatInput, *FormatSchema]{
	Name: "schema", Section: workbench.Maintain, Order: 60, Page: true,
	Doc:     "Print the JSON Schema of a file format, for editors",
	Example: "mcptest schema suite",
	Run: func(_ context.Context, _ *workbench.Workbench, in *FormatInput) (*FormatSchema, error) {
		if in.Format != "suite" {
			return nil, &workbench.UsageError{Message: fmt.Sprintf("unknown schema %q", in.Format),
				Hint: "run: {mcptest schema suite}"}
		}
		return &FormatSchema{raw: suite.Schema()}, nil
	},
}
