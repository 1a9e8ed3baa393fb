package fuzz

import (
	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/engine/fuzz/words"
	"github.com/mcptest-dev/mcptest/internal/finding"
)

var disagreeProperty = &Property{finding.Rule{ID: "FUZZ-027", Severity: finding.Warning,
	Doc: `valid arguments are rejected by the validation of the tool

The arguments match the published schema, and the tool rejected their type, a value or a name with the message of a
validator. So the server validates with another schema than it publishes, or changes arguments before it validates them,
such as a text that looks like JSON or like a number. A model that follows the schema fails. Publish the schema that is used
for validation, and keep texts as they are.`}, agreesWithSchema}

// agreesWithSchema holds unless a validator of the tool rejects a call that the published schema allows.
func agreesWithSchema(s *observation) *violation {
	if !s.Case.Allowed || s.Exchange == nil || s.Exchange.Reply == nil || s.Exchange.Reply.Error != nil ||
		!s.parts().failed {
		return nil
	}
	said := s.errorText()
	found := words.Rejection(said)
	if found == "" || s.sent(found) {
		return nil
	}
	return &violation{cause: "validation", message: "the schema allows the arguments, and the validation of the tool " +
		"rejects them: " + clip.Sized(said, maxDisplayed)}
}
