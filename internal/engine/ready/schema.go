package ready

import (
	"embed"
	"encoding/json"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// The published schemas: of server.json from the registry, of manifest.json from the package @anthropic-ai/mcpb 2.1.2.
//
//go:embed schemas/*.json
var schemas embed.FS

// compiledSchemas are the schemas that a run has used, by name.
var compiledSchemas sync.Map

// compiled returns a published schema. Formats are checked, as the validators of the places do.
func compiled(name string) (*schema.Schema, error) {
	if known, ok := compiledSchemas.Load(name); ok {
		return known.(*schema.Schema), nil
	}
	s, err := compile(name)
	if err == nil {
		compiledSchemas.Store(name, s)
	}
	return s, err
}

func compile(name string) (*schema.Schema, error) {
	raw, err := schemas.ReadFile("schemas/" + name + ".json")
	if err != nil {
		return nil, err
	}
	return schema.Compile(raw, &schema.Options{AssertFormat: true, Dialect: "http://json-schema.org/draft-07/schema#"})
}

// conforms reports the violations of a schema as findings of a rule. It returns false for a file that is not an object:
// nothing else can be said about it.
func (r *run) conforms(in *file, rule, name string) (bool, error) {
	if !json.Valid(in.data) {
		r.found(rule, in, "", "%s is not valid JSON", in.name)
		return false, nil
	}
	s, err := compiled(name)
	if err != nil {
		return false, err
	}
	for _, v := range s.Validate(in.values) {
		r.found(rule, in, v.Path, "%s", strings.TrimPrefix(v.Message, ": "))
	}
	return schema.Kind(in.data) == '{', nil
}
