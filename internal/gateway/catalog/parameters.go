package catalog

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth is the maximum depth of searched parameters: anything deeper is detail.
const maxDepth = 3

// eachParameter calls f with the names and descriptions of a schema's properties, recursively. It reads as much as
// possible: an invalid schema has no more parameters from that point on.
func eachParameter(schema json.RawMessage, f func(name, description string)) {
	if len(schema) > 0 {
		_ = readSchema(decoder(schema), maxDepth, nil, f)
	}
}

// readSchema reads a schema. The schema's own description goes to own.
func readSchema(d *jsontext.Decoder, depth int, own func(description string), f func(name, description string)) error {
	return eachMember(d, func(name string) error {
		switch {
		case name == "description" && own != nil && d.PeekKind() == '"':
			token, err := d.ReadToken()
			own(token.String())
			return err
		case name == "properties" && depth > 0:
			return readProperties(d, depth, f)
		case name == "items" && own != nil:
			return readSchema(d, depth, func(string) {}, f)
		}
		return d.SkipValue()
	})
}

func readProperties(d *jsontext.Decoder, depth int, f func(name, description string)) error {
	return eachMember(d, func(name string) error {
		description := ""
		var below [][2]string
		err := readSchema(d, depth-1, func(text string) { description = text }, func(name, description string) {
			below = append(below, [2]string{name, description})
		})
		f(name, description)
		for _, p := range below {
			f(p[0], p[1])
		}
		return err
	})
}
