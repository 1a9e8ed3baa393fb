package schema

// A shape is how a keyword contains subschemas.
type shape uint8

const (
	holdsNone   shape = iota
	holdsSchema       // the value is a subschema
	holdsMap          // an object whose values are subschemas
	holdsList         // an array of subschemas
	holdsEither       // a subschema or an array of them
)

// shapeOf maps every keyword of draft-04 to 2020-12 that contains subschemas.
func shapeOf(keyword string) shape {
	switch keyword {
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies":
		return holdsMap
	case "allOf", "anyOf", "oneOf", "prefixItems":
		return holdsList
	case "items":
		return holdsEither
	case "additionalProperties", "additionalItems", "contains", "propertyNames", "not", "if", "then", "else",
		"unevaluatedProperties", "unevaluatedItems", "contentSchema":
		return holdsSchema
	}
	return holdsNone
}
