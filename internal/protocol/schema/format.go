package schema

import "github.com/mcptest-dev/mcptest/internal/third_party/jsonschema"

// ignoreFormats makes format an annotation also in the older drafts, where the library asserts it by default.
// MCP leaves the choice to the reader, and servers use formats that their own values do not match.
func ignoreFormats(compiler *jsonschema.Compiler) {
	for _, name := range assertedFormats {
		compiler.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(any) error { return nil }})
	}
}

var assertedFormats = []string{
	"json-pointer", "relative-json-pointer", "uuid", "duration", "period", "ipv4", "ipv6", "hostname", "email", "date",
	"time", "date-time", "uri", "iri", "uri-reference", "iri-reference", "uri-template", "semver",
}

// dropRegexFormat removes the only format that the library does not let us override.
func dropRegexFormat(doc any) {
	switch value := doc.(type) {
	case map[string]any:
		if value["format"] == "regex" {
			delete(value, "format")
		}
		for keyword, inner := range value {
			if keyword != "const" && keyword != "enum" {
				dropRegexFormat(inner)
			}
		}
	case []any:
		for _, inner := range value {
			dropRegexFormat(inner)
		}
	}
}
