package lint

import (
	"bytes"
	"encoding/json"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// plain reports whether a schema is so ordinary that it certainly compiles: known keywords with values of the right
// kind, and references that resolve. This applies to nearly every tool's schema, and the check costs a hundredth of
// compiling. False means only that the schema must be compiled to find out.
func plain(d *Document) bool {
	if !d.judged {
		d.isPlain, d.judged = isPlain(d), true
	}
	return d.isPlain
}

func isPlain(d *Document) bool {
	if d.Deep || len(d.Subschemas) > 1000 || len(d.Raw) > 100_000 {
		return false
	}
	for _, place := range d.Subschemas {
		if place.Is(true) || place.Is(false) {
			continue
		}
		if schema.Kind(place.Raw) != '{' {
			return false
		}
		for _, m := range place.Members {
			if !plainKeyword(place, m) {
				return false
			}
		}
	}
	return true
}

func plainKeyword(place *Subschema, m schema.Member) bool {
	kind := schema.Kind(m.Value)
	switch m.Name {
	case "title", "description", "$comment", "format", "contentEncoding", "contentMediaType":
		return kind == '"'
	case "default", "const":
		return true
	case "examples":
		return kind == '['
	case "enum":
		return plainValues(m.Value)
	case "deprecated", "readOnly", "writeOnly", "uniqueItems":
		return kind == 't' || kind == 'f'
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return kind == '0'
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		return kind == '0' && strings.Trim(string(m.Value), "0123456789") == ""
	case "type":
		return plainTypes(m.Value)
	case "required":
		return plainNames(m.Value)
	case "properties", "$defs", "definitions":
		return kind == '{'
	case "anyOf", "oneOf", "allOf":
		return kind == '[' && len(place.Under(m.Name)) > 0
	case "items", "additionalProperties", "not", "if", "then", "else", "propertyNames", "contains":
		return kind == '{' || kind == 't' || kind == 'f'
	case "pattern":
		return plainPattern(m.Value)
	case "$schema":
		name, _ := schema.Text(m.Value)
		return place.Up == nil && (name == spec.Draft07 || name == spec.Draft2020_12)
	case "$ref":
		return plainRef(place)
	}
	return !strings.HasPrefix(m.Name, "$") && !needsCompiler(m.Name)
}

// needsCompiler lists keywords whose meaning is left to the compiler.
func needsCompiler(keyword string) bool {
	switch keyword {
	case "id", "multipleOf", "patternProperties", "prefixItems", "additionalItems", "dependencies", "dependentSchemas",
		"dependentRequired", "unevaluatedItems", "unevaluatedProperties", "minContains", "maxContains", "contentSchema":
		return true
	}
	return false
}

func plainTypes(value json.RawMessage) bool {
	if name, ok := schema.Text(value); ok {
		return knownType(name)
	}
	if !plainNames(value) {
		return false
	}
	elements, _ := schema.Elements(value)
	return len(elements) > 0 && !slices.ContainsFunc(elements, func(e json.RawMessage) bool {
		name, _ := schema.Text(e)
		return !knownType(name)
	})
}

func knownType(name string) bool {
	switch name {
	case "string", "number", "integer", "boolean", "object", "array", "null":
		return true
	}
	return false
}

// plainNames reports whether value is a list of strings that are all different.
func plainNames(value json.RawMessage) bool {
	elements, err := schema.Elements(value)
	if err != nil {
		return false
	}
	seen := map[string]bool{}
	for _, e := range elements {
		name, ok := schema.Text(e)
		if !ok || seen[name] {
			return false
		}
		seen[name] = true
	}
	return true
}

// plainValues reports whether value is a list of clearly different values.
func plainValues(value json.RawMessage) bool {
	elements, err := schema.Elements(value)
	if err != nil {
		return false
	}
	seen := map[string]bool{}
	for _, e := range elements {
		if seen[string(e)] || bytes.ContainsAny(e, `{[\`) || schema.Kind(e) == '0' && bytes.ContainsAny(e, ".eE") {
			return false
		}
		seen[string(e)] = true
	}
	return true
}

func plainPattern(value json.RawMessage) bool {
	pattern, ok := schema.Text(value)
	if !ok || len(pattern) > 200 {
		return false
	}
	_, err := syntax.Parse(pattern, syntax.Perl)
	return err == nil
}

// plainRef rejects chains of references that apply to the same value, which might be circular.
func plainRef(place *Subschema) bool {
	target := place.Ref()
	return target != nil && !target.Has("$ref") && len(target.InPlace()) == 0
}
