package suiterun

import (
	"context"
	"fmt"
	"io"

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
