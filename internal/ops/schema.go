package ops

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mcptest-dev/mcptest/internal/driver"
	"github.com/mcptest-dev/mcptest/internal/engine/suite"
	"github.com/mcptest-dev/mcptest/internal/workbench"
)

// A FormatInput names a format.
type FormatInput struct {
	Format string `json:"format" cli:"arg" jsonschema:"the format: suite (files), driver (messages)"`
}

// A FormatSchema is the JSON Schema of a format.
type FormatSchema struct{ raw []byte }

// RawJSON returns the schema.
func (s *FormatSchema) RawJSON() []byte { return s.raw }

// schemas are the formats with a schema.
var schemas = map[string]func() json.RawMessage{"suite": suite.Schema, "driver": driver.Schema}

// Schema prints a schema, for editors and generators.
var Schema = workbench.Op[FormatInput, *FormatSchema]{
	Name: "schema", Section: workbench.Maintain, Order: 60, Page: true,
	Doc:     "Print the JSON Schema of a file format, for editors",
	Example: "mcptest schema suite",
	Run: func(_ context.Context, _ *workbench.Workbench, in *FormatInput) (*FormatSchema, error) {
		of, ok := schemas[in.Format]
		if !ok {
			return nil, &workbench.UsageError{Message: fmt.Sprintf("unknown schema %q", in.Format),
				Hint: "run: {mcptest schema suite}, or {mcptest schema driver}"}
		}
		return &FormatSchema{raw: of()}, nil
	},
}
