package catalog

import "strings"

// A field is a part of a tool's definition that is searched.
type field uint8

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

// texts returns the searchable text, by field.
func texts(t *Tool) (out [fields][]string) {
	lead, rest := firstSentence(t.Description)
	out[inName] = []string{t.Name}
	out[inTitle] = append([]string{t.Title}, t.Tags...)
	out[inServer] = []string{t.Server}
	out[inLead] = []string{lead}
	out[inDescription] = []string{rest}
	eachParameter(t.Parameters, func(name, description string) {
		out[inParameters] = append(out[inParameters], name)
		out[inParameterText] = append(out[inParameterText], description)
	})
	return out
}

// minLead is the minimum length of a first sentence: "Note: …" and "e.g. …" do not count.
const minLead = 20

func firstSentence(text string) (lead, rest string) {
	for i := minLead; i < len(text)-1; i++ {
		if text[i] == '\n' || text[i] == '.' && strings.IndexByte(" \r\n", text[i+1]) >= 0 {
			return text[:i], text[i:]
		}
	}
	return text, ""
}
