package workbench

import (
	"context"
	"fmt"
	"io"

	"github.com/mcptest-dev/mcptest/internal/engine/suite"
)

// A SuiteInput names suites.
type SuiteInput struct {
	Suite string   `json:"suite,omitempty" cli:"-" max:"262144" jsonschema:"the suite as YAML"`
	Paths []string `json:"paths,omitempty" surface:"cli" cli:"rest" placeholder:"FILE|DIR|GLOB" jsonschema:"suite files, directories or globs"`
}

// A SuiteOutline is an overview of suites.
type SuiteOutline struct {
	Tests []string `json:"tests"`
}

// SuiteValidate reads suites without running them.
var SuiteValidate = Op[SuiteInput, *SuiteOutline]{
	Name: "suite validate", Tool: "validate_suite", Surfaces: Page | Assistant,
	Doc:     "Check suite files without starting a server\n\nReports all problems with line and column.",
	Example: "mcptest suite validate mcptest.yaml",
	Run: func(_ context.Context, w *Workbench, in *SuiteInput) (*SuiteOutline, error) {
		plan, _, err := w.plan(&RunInput{Suite: in.Suite, Paths: in.Paths})
		if err != nil {
			return nil, err
		}
		return &SuiteOutline{Tests: ids(plan)}, nil
	},
	Text: func(out io.Writer, o *SuiteOutline) error {
		_, err := fmt.Fprintf(out, "%s, no problems found\n", plural(len(o.Tests), "test"))
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

// SuiteSchema prints the schema for editors.
var SuiteSchema = Op[FormatInput, *FormatSchema]{
	Name: "schema", Surfaces: Page | Assistant,
	Doc:     "Print the JSON Schema of a file format, for editors",
	Example: "mcptest schema suite",
	Run: func(_ context.Context, _ *Workbench, in *FormatInput) (*FormatSchema, error) {
		if in.Format != "suite" {
			return nil, &UsageError{Message: fmt.Sprintf("unknown schema %q", in.Format), Hint: "run: {mcptest schema suite}"}
		}
		return &FormatSchema{raw: suite.Schema()}, nil
	},
}
