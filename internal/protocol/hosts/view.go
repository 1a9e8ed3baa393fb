package hosts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// A Tool is the part of a tool definition that a model sees.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"parameters"`
	Lost        string          `json:"lost,omitempty"`    // why the host does not pass the tool to the model
	Unknown     string          `json:"unknown,omitempty"` // why the host's view was not computed
}

// Read returns the parts of a definition that a host passes on to a model.
func Read(definition json.RawMessage) Tool {
	text := func(pointer string) string {
		value, _ := schema.Get(definition, pointer)
		s, _ := schema.Text(value)
		return s
	}
	input, _ := schema.Get(definition, "/inputSchema")
	return Tool{Name: text("/name"), Description: text("/description"), Schema: input}
}

// View returns what the host would pass to the model for a tool. Providers that reject a request instead of
// changing it get the tool unchanged; the rules report what they reject.
func View(p Profile, tool Tool) Tool {
	if p.view == nil {
		return tool
	}
	if tool.Unknown = tooLarge(tool.Schema); tool.Unknown != "" {
		return tool
	}
	return p.view(tool)
}

// mostValues is the maximum number of list values in a schema, counted by commas. Real ones stay under 15,000.
const mostValues = 50_000

// tooLarge returns which limit a schema exceeds; empty if none. The transformations of hosts take time and
// memory that grow faster than the schema.
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
		t.Lost = "server name and tool name together are limited to 60 characters, and the tool name alone is longer"
	}
	return t
}
