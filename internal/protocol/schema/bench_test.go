package schema

import (
	"encoding/json"
	"testing"
)

// A tool of ordinary size: a dozen parameters, a list, an object, an enum.
const typicalSchema = `{"type":"object","properties":{
 "query":{"type":"string","minLength":1,"maxLength":400},"limit":{"type":"integer","minimum":1,"maximum":100},
 "offset":{"type":"integer","minimum":0},"sort":{"enum":["asc","desc"]},"tags":{"type":"array","items":{"type":"string"},"maxItems":20},
 "filter":{"type":"object","properties":{"from":{"type":"string","pattern":"^\\d{4}-\\d{2}-\\d{2}$"},"active":{"type":"boolean"}},"required":["from"]},
 "owner":{"anyOf":[{"type":"string"},{"type":"null"}]},"score":{"type":"number"},"dry":{"type":"boolean"},
 "lang":{"type":"string"},"page":{"$ref":"#/$defs/page"}},"required":["query","limit"],"additionalProperties":false,
 "$defs":{"page":{"type":"object","properties":{"size":{"type":"integer"}}}}}`

const typicalCall = `{"query":"rivers of France","limit":10,"offset":0,"sort":"asc","tags":["a","b","c"],
 "filter":{"from":"2025-01-31","active":true},"owner":null,"score":0.75,"dry":false,"lang":"en","page":{"size":5}}`

func BenchmarkValidate(b *testing.B) {
	var cache Cache
	raw, call := json.RawMessage(typicalSchema), json.RawMessage(typicalCall)
	b.ReportAllocs()
	for b.Loop() {
		s, err := cache.Compile(raw, nil)
		if err != nil {
			b.Fatal(err)
		}
		if violations := s.Validate(call); len(violations) > 0 {
			b.Fatal(violations[0].Message)
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		if _, err := Compile(json.RawMessage(typicalSchema), nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWalkCorpus(b *testing.B) {
	schemas := corpus(b)
	for b.Loop() {
		for _, real := range schemas {
			_ = Walk(real.raw, func(Node) bool { return true })
		}
	}
}
