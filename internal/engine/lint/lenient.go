package lint

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/mcptest-dev/mcptest/internal/protocol/rawjson"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// ReadLoose is [ReadCatalog] for a fix: a tool with duplicate keys, invalid UTF-8 or excessive nesting does not prevent
// fixing the others. If the list itself cannot be found, the error is that of ReadCatalog.
func ReadLoose(data []byte, name string) (*Catalog, error) {
	c, err := ReadCatalog(data, name)
	if err == nil {
		return c, nil
	}
	r := &catalogReader{name: name, data: data}
	start, startErr := r.start()
	if startErr != nil || !r.split(data[start:], start, true) || !r.found {
		return nil, err
	}
	return &Catalog{Name: name, Tools: r.tools, Partial: r.partial, data: data, lines: lineStarts(data)}, nil
}

// split finds the tools by brackets alone. It reports false for anything that is not clearly a list.
func (r *catalogReader) split(raw json.RawMessage, at int, outer bool) bool {
	names, values, err := parts(raw)
	if err != nil {
		return false
	}
	if schema.Kind(raw) == '[' {
		return r.splitList(values, at)
	}
	seen := map[string]bool{}
	for i, value := range values {
		name, kind := names[i], schema.Kind(value.raw)
		if seen[name] {
			return false
		}
		seen[name] = true
		switch {
		case name == "tools" && kind == '[', name == "result" && kind == '{' && outer:
			if !r.split(value.raw, at+value.at, false) {
				return false
			}
		case !isLenientJSON(value.raw):
			return false
		case name == "nextCursor" && kind == '"':
			r.partial = true
		}
	}
	return true
}

func (r *catalogReader) splitList(values []part, at int) bool {
	if r.found || len(values) > maxTools {
		return false
	}
	r.found = true
	for _, value := range values {
		if !isLenientJSON(value.raw) {
			return false
		}
		r.tools = append(r.tools, newTool(value.raw, len(r.tools), at+value.at))
	}
	return true
}

// isLenientJSON reports whether a value is JSON, even if readers interpret it differently or it exceeds their nesting
// limit.
func isLenientJSON(raw json.RawMessage) bool {
	if _, deep := rawjson.DeeperThan(raw, maxNesting); deep {
		return true
	}
	return jsontext.Value(raw).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}
