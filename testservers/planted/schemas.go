package planted

import "encoding/json"

// The input schemas.
var (
	short   = object(`"name":{"type":"string","maxLength":10}`, `"name"`)
	free    = object(`"name":{"type":"string"},"note":{"type":"string"}`, `"name"`)
	percent = object(`"n":{"type":"integer","minimum":0,"maximum":100}`, `"n"`)
	color   = object(`"color":{"type":"string","enum":["red","green"]}`, `"color"`)
	list    = object(`"items":{"type":"array","items":{"type":"string"},"maxItems":20}`, `"items"`)
)

// object is a closed object schema.
func object(properties, required string) string {
	return `{"type":"object","properties":{` + properties + `},"required":[` + required +
		`],"additionalProperties":false}`
}

// when runs work for some arguments, and returns a correct result for others.
func when(is func(arguments json.RawMessage) bool, then func(s *server) string) func(*server, json.RawMessage) string {
	return func(s *server, arguments json.RawMessage) string {
		if is(arguments) {
			return then(s)
		}
		return fine
	}
}

func well(*server, json.RawMessage) string { return fine }

func crash(*server) string { return die() }

func hang(*server) string { return "" }
