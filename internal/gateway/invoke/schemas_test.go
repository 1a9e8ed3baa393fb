package invoke

import (
	"errors"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
)

// A schema that is merely wrong is the server's to check; one that cannot be checked keeps the tool from being run.
func TestSchemasThatCannotBeUsed(t *testing.T) {
	for _, test := range []struct {
		schema  string
		checked bool // the call is refused
	}{
		{`{"type":"strange"}`, false},
		{`{"type":"object","properties":{"a":{"type":"string","pattern":"("}}}`, false},
		{`{"$ref":"https://example.com/schema.json"}`, true},
		{`{"$ref":"#/$defs/none"}`, true},
		{`{"type":"object","required":["a"]}`, true},
	} {
		err := (&Invoker{}).Check(t.Context(), &catalog.Tool{Name: "x", Parameters: []byte(test.schema)}, []byte(`{}`))
		var invalid *ValidationError
		if refused := errors.As(err, &invalid); refused != test.checked {
			t.Errorf("%s: %v, want it refused: %v", test.schema, err, test.checked)
		}
	}
}
