package cases

import (
	"bytes"
	"encoding/json"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// sameFormats are names of formats that the validator does not know, and equal ones that it does.
var sameFormats = map[string]string{"url": "uri", "idn-email": "email", "idn-hostname": "hostname"}

// withFormats compiles a schema so that it also requires formats. It returns nil if the schema has none, or if one of the
// samples does not match: the schema then uses formats for something else.
func withFormats(inputSchema json.RawMessage, samples []*node) *schema.Schema {
	if !bytes.Contains(inputSchema, []byte(`"format"`)) {
		return nil
	}
	strict, err := schema.Compile(renameFormats(inputSchema), &schema.Options{AssertFormat: true})
	if err != nil {
		return nil
	}
	for _, sample := range samples {
		if len(strict.Validate(render(nil, sample, nil))) > 0 {
			return nil
		}
	}
	return strict
}

// renameFormats replaces the names of formats that the validator does not know.
func renameFormats(raw json.RawMessage) json.RawMessage {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var document any
	if decoder.Decode(&document) != nil {
		return raw
	}
	rename(document)
	renamed, err := json.Marshal(document)
	if err != nil {
		return raw
	}
	return renamed
}

func rename(value any) {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			rename(item)
		}
	case map[string]any:
		if name, ok := value["format"].(string); ok && sameFormats[name] != "" {
			value["format"] = sameFormats[name]
		}
		for name, member := range value {
			if name != "enum" && name != "const" { // values, not schemas
				rename(member)
			}
		}
	}
}
