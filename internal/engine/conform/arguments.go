package conform

import (
	"encoding/json"
	"slices"

	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
)

// declaredArguments returns the properties of the input schema of a tool, without references and null.
func declaredArguments(tool json.RawMessage) []schema.Member {
	input := At(tool, "/inputSchema")
	members, _ := schema.Members(At(input, "/properties"))
	members = slices.Clone(members)
	r := schema.NewResolver(input)
	for i := range members {
		members[i].Value = r.Plain(members[i].Value)
	}
	return members
}

// declaredArgument returns one of them; nil if there is none of this name.
func declaredArgument(tool json.RawMessage, name string) json.RawMessage {
	input := At(tool, "/inputSchema")
	property := At(input, "/properties/"+schema.Token(name))
	if property == nil {
		return nil
	}
	return schema.NewResolver(input).Plain(property)
}

// hasArgument reports whether arguments have a value, given as JSON: withArgument does not set one that the schema forbids.
func hasArgument(arguments json.RawMessage, name, value string) bool {
	return string(At(arguments, "/"+schema.Token(name))) == value
}
