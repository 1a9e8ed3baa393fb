package hosts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Tool is what a model gets to see of a tool definition.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"parameters"`
	Lost        string          `json:"lost,omitempty"`    // why the host hands no such tool to the model
	Unknown     string          `json:"unknown,omitempty"` // why it was not worked out what the host makes of it
}

// Read takes from a definition what a host passes on to a model.
func Read(definition json.RawMessage) Tool {
	text := func(pointer string) string {
		value, _ := schema.Get(definition, pointer)
		s, _ := schema.Text(value)
		return s
	}
	input, _ := schema.Get(definition, "/inputSchema")
	return Tool{Name: text("/name"), Description: text("/description"), Schema: input}
}

// View is what the host would hand to the model of a tool. Providers that refuse a request instead of changing it see the
// tool as it is; what they refuse is for the rules to say.
func View(p Profile, tool Tool) Tool {
	if p.view == nil {
		return tool
	}
	if tool.Unknown = tooLarge(tool.Schema); tool.Unknown != "" {
		return tool
	}
	return p.view(tool)
}

// mostValues is how many values of long lists a schema may have, by its commas. Real ones stay under 15,000.
const mostValues = 50_000

// tooLarge says which limit a schema exceeds; empty where it keeps within them. What hosts do takes time and memory that
// grow faster than the schema does.
func tooLarge(raw json.RawMessage) string {
	if bytes.Count(raw, []byte(",")) > mostValues {
		return fmt.Sprintf("the schema has more than %d values", mostValues)
	}
	var refused *schema.CompileError
	if errors.As(schema.Bounded(raw, nil), &refused) && refused.Kind == schema.OverLimit {
		return refused.Message
	}
	return ""
}

func cursorView(t Tool) Tool {
	if n := utf8.RuneCountInString(t.Name); n > cursor().ToolName.Max {
		t.Lost = "the name of server and tool together may have 60 characters, and the tool's alone has more"
	}
	return t
}
