package catalog

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// A field is a part of a tool's definition that is searched.
type field int

const (
	inName  field = iota
	inTitle       // and tags
	inServer
	inLead        // the first sentence of the description
	inDescription // the rest of it
	inParameters  // their names
	inParameterText
	fields
)

// texts returns what there is to search, field by field.
func texts(t *Tool) (out [fields][]string) {
	lead, rest := firstSentence(t.Description)
	out[inName] = []string{t.Name}
	out[inTitle] = append([]string{t.Title}, t.Tags...)
	out[inServer] = []string{t.Server}
	out[inLead] = []string{lead}
	out[inDescription] = []string{rest}
	var schema parameters
	_ = json.Unmarshal(t.Parameters, &schema) // what has the wrong type is left out
	schema.walk(maxDepth, func(name, description string) {
		out[inParameters] = append(out[inParameters], name)
		out[inParameterText] = append(out[inParameterText], description)
	})
	return out
}

// minLead is how long a first sentence is at least: "Note: …" and "e.g. …" are none.
const minLead = 20

func firstSentence(text string) (lead, rest string) {
	for i := minLead; i < len(text)-1; i++ {
		if text[i] == '\n' || text[i] == '.' && strings.IndexByte(" \r\n", text[i+1]) >= 0 {
			return text[:i], text[i:]
		}
	}
	return text, ""
}

// parameters are what there is to search in a schema.
type parameters struct {
	Description string                `json:"description"`
	Properties  map[string]parameters `json:"properties"`
	Items       *parameters           `json:"items"`
}

// maxDepth is how deep parameters are searched: what is further down is detail.
const maxDepth = 3

func (p *parameters) walk(depth int, f func(name, description string)) {
	if depth == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(p.Properties)) {
		property := p.Properties[name]
		f(name, property.Description)
		property.walk(depth-1, f)
		if items := property.Items; items != nil {
			items.walk(depth-1, f)
		}
	}
}
