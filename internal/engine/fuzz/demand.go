package fuzz

import (
	"encoding/json"
	"strings"

	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/words"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

var demandProperty = &Property{finding.Rule{ID: "FUZZ-018", Severity: finding.Warning,
	Doc: `valid call fails because an argument is missing

The arguments match the schema, and the tool failed with a message that an argument is required. Either the schema calls an
argument optional that the tool needs, or the code takes 0 or false for absent. A model that follows the schema fails. Add
the argument to required, give it a default, or test for absence instead of falsehood. If an empty text or list is
rejected, it is a note: declare minLength or minItems in the schema.`}, demandsNothing}

// demandsNothing holds unless a call that the schema allows fails because an argument is said to be missing.
func demandsNothing(s *observation) *violation {
	if !s.Case.Allowed || s.Exchange == nil || s.Exchange.Reply == nil || s.Exchange.Reply.Error != nil ||
		!s.parts().failed {
		return nil
	}
	said := s.errorText()
	if !words.Demand(said) {
		return nil
	}
	name, value := s.demanded(said)
	if name == "" {
		return nil
	}
	b := &violation{cause: name, message: name + " is said to be missing, although the schema allows the arguments: " +
		clip.Sized(said, maxDisplayed)}
	switch value {
	case "":
	case "0", "false":
		b.message = name + " is " + value + " and is taken for absent: " + clip.Sized(said, maxDisplayed)
	case `""`, "[]", "{}":
		b.severity = finding.Info
	default:
		return nil // it is there: another rule of the tool's own, which a schema may not be able to state
	}
	return b
}

// demanded is the argument that a message names, and its value; an absent one has none.
func (s *observation) demanded(said string) (name, value string) {
	for _, property := range s.properties {
		if !words.HaveName(said, property) {
			continue
		}
		raw, ok := schema.Get(s.Case.Arguments, "/"+schema.Token(property))
		if !ok {
			return property, ""
		}
		return property, strings.TrimSpace(string(raw))
	}
	return "", ""
}

// propertiesOf are the names of the arguments of a schema.
func propertiesOf(input json.RawMessage) []string {
	properties, _ := schema.Get(input, "/properties")
	members, _ := schema.Members(properties)
	var all []string
	for _, m := range members {
		all = append(all, m.Name)
	}
	return all
}
