package words

import "github.com/mcptest-dev/mcptest/internal/lazyregexp"

// Rejection returns the part of a message with which a validator rejects a type, a name or a value of a list; empty if there is none.
func Rejection(said string) string { return rejections().FindString(said) }

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
