package mcpserver

// Output schemas are part of each definition, and so of the context of every conversation: only those of
// results that callers rely on name the top-level fields.

// outputSchema returns the output schema of a tool: the fields of its result, besides success.
func outputSchema(fields ...property) string {
	return record("", append([]property{need("success", flag(""))}, fields...)...)
}

// part is an object in a result.
func part(name string) property { return may(name, `{"type":"object"}`) }

// items is an array in a result.
func items(name string) property { return may(name, `{"type":"array"}`) }
