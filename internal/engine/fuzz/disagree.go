package fuzz

import (
	"github.com/mcptest-dev/mcptest/internal/clip"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/lazyregexp"
)

var disagreeProperty = &Property{finding.Rule{ID: "FUZZ-027", Severity: finding.Warning,
	Doc: `valid arguments are rejected by the validation of the tool

The arguments match the published schema, and the tool rejected their type, a value or a name with the message of a
validator. So the server validates with another schema than it publishes, or changes arguments before it validates them,
such as a text that looks like JSON or like a number. A model that follows the schema fails. Publish the schema that is used
for validation, and keep texts as they are.`}, agreesWithSchema}

// rejections matches messages of validators about types, unknown names and lists of values.
var rejections = lazyregexp.New(`\[type=(?:\w+_type|\w+_parsing|extra_forbidden|unexpected_keyword_argument|literal_error|` +
	`enum|none_required|union_tag_invalid|union_tag_not_found)\b` + // pydantic
	`|"code":\s*"(?:invalid_type|unrecognized_keys|invalid_enum_value|invalid_value|invalid_literal|invalid_union_discriminator)"` + // zod
	`|Invalid discriminator value\. Expected|No matching discriminator|Invalid enum value\. Expected '|Invalid option: expected one of "` +
	`|: Required at \w|Invalid literal value, expected |Unrecognized key\(s\) in object: |Unrecognized keys?: "` +
	`|(?i:expected (?:string|number|integer|int|boolean|object|array|null|nonoptional), received )` +
	`|must be (?:string|integer|number|boolean|object|array|null)(?:[\s,."']|$)` + // ajv
	`|must NOT have additional properties|must be equal to (?:one of the allowed values|constant)` +
	`|is not of type '\w+'|is not one of \[|Additional properties are not allowed`) // jsonschema

// agreesWithSchema holds unless a validator of the tool rejects a call that the published schema allows.
func agreesWithSchema(s *observation) *violation {
	if !s.Case.Allowed || s.Exchange == nil || s.Exchange.Reply == nil || s.Exchange.Reply.Error != nil ||
		!s.parts().failed {
		return nil
	}
	said := s.errorText()
	found := rejections().FindString(said)
	if found == "" || s.sent(found) {
		return nil
	}
	return &violation{cause: "validation", message: "the schema allows the arguments, and the validation of the tool " +
		"rejects them: " + clip.Sized(said, maxDisplayed)}
}
