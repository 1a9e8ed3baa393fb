package demo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/language"
	textmessage "golang.org/x/text/message"

	"github.com/mcptest-dev/mcptest/internal/third_party/jsonschema"
)

// A validator checks values against one of our own schemas.
type validator struct{ schema *jsonschema.Schema }

func newValidator(schema string) *validator {
	const name = "schema.json"
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	if err != nil {
		panic(fmt.Errorf("schema %s: %w", schema, err))
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource(name, document); err != nil {
		panic(fmt.Errorf("schema %s: %w", schema, err))
	}
	return &validator{c.MustCompile(name)}
}

// check returns the violations of a value, or an empty string.
func (v *validator) check(value json.RawMessage) string {
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(value))
	if err != nil {
		return err.Error()
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(v.schema.Validate(instance), &invalid) {
		return ""
	}
	var reasons []string
	p := textmessage.NewPrinter(language.English)
	var walk func(*jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		if len(e.Causes) == 0 {
			reasons = append(reasons, "/"+strings.Join(e.InstanceLocation, "/")+": "+e.ErrorKind.LocalizedString(p))
		}
		for _, cause := range e.Causes {
			walk(cause)
		}
	}
	walk(invalid)
	slices.Sort(reasons) // the library walks maps
	return strings.Join(reasons, "; ")
}
