package schema

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWalkVisitsEverySubschemaInDocumentOrder(t *testing.T) {
	const doc = `{
	  "properties": {"z": {"items": {"type": "string"}}, "a/b": true},
	  "patternProperties": {"^x": {}}, "additionalProperties": false, "propertyNames": {},
	  "items": [{}, {}], "additionalItems": {}, "prefixItems": [{}], "contains": {},
	  "allOf": [{}], "anyOf": [{}], "oneOf": [{}], "not": {}, "if": {}, "then": {}, "else": {},
	  "dependentSchemas": {"p": {}}, "dependencies": {"q": {}, "r": ["s"]},
	  "unevaluatedItems": {}, "unevaluatedProperties": {}, "contentSchema": {},
	  "$defs": {"d": {}}, "definitions": {"e": {}},
	  "default": {"properties": {"no": {}}}, "enum": [{"items": {}}], "x-unknown": {"items": {}}
	}`
	var got []string
	err := Walk(json.RawMessage(doc), func(n Node) bool {
		got = append(got, n.Keyword+" "+n.Name+" "+n.Pointer)
		return true
	})
	want := strings.Split(`  
properties z /properties/z
items  /properties/z/items
properties a/b /properties/a~1b
patternProperties ^x /patternProperties/^x
additionalProperties  /additionalProperties
propertyNames  /propertyNames
items 0 /items/0
items 1 /items/1
additionalItems  /additionalItems
prefixItems 0 /prefixItems/0
contains  /contains
allOf 0 /allOf/0
anyOf 0 /anyOf/0
oneOf 0 /oneOf/0
not  /not
if  /if
then  /then
else  /else
dependentSchemas p /dependentSchemas/p
dependencies q /dependencies/q
unevaluatedItems  /unevaluatedItems
unevaluatedProperties  /unevaluatedProperties
contentSchema  /contentSchema
$defs d /$defs/d
definitions e /definitions/e`, "\n")
	if diff := cmp.Diff(got, want); diff != "" || err != nil {
		t.Errorf("Walk: %v (-got +want)\n%s", err, diff)
	}
}

func TestWalkSkipsWhatTheVisitorDeclines(t *testing.T) {
	count := 0
	err := Walk(json.RawMessage(`{"properties":{"a":{"items":{}},"b":{}}}`), func(n Node) bool {
		count++
		return n.Name != "a"
	})
	if err != nil || count != 3 {
		t.Errorf("Walk visited %d, %v, want 3: the root, a and b", count, err)
	}
}

func TestWalkStopsAtTheDepthLimit(t *testing.T) {
	deep := func(levels int) json.RawMessage {
		return json.RawMessage(strings.Repeat(`{"not":`, levels-1) + "{}" + strings.Repeat("}", levels-1))
	}
	all := func(Node) bool { return true }
	if err := Walk(deep(MaxDepth), all); err != nil {
		t.Errorf("Walk of %d levels = %v", MaxDepth, err)
	}
	visited := 0
	err := Walk(deep(MaxDepth+1), func(Node) bool { visited++; return true })
	if !errors.Is(err, ErrDepth) || visited != MaxDepth {
		t.Errorf("Walk of %d levels = %v after %d visits, want ErrDepth after %d", MaxDepth+1, err, visited, MaxDepth)
	}
}

func TestNodeReadsKeywords(t *testing.T) {
	var root Node
	_ = Walk(json.RawMessage(`{"type":["string","null",3],"title":"T\u0041","title":"last"}`), func(n Node) bool {
		root = n
		return true
	})
	if title, ok := root.Text("title"); !ok || title != "last" {
		t.Errorf("Text(title) = %q, %t", title, ok)
	}
	if diff := cmp.Diff(root.Types(), []string{"string", "null"}); diff != "" {
		t.Errorf("Types (-got +want)\n%s", diff)
	}
	if root.Has("description") || root.At("a/b") != "/a~1b" {
		t.Errorf("Has(description) = %t, At = %q", root.Has("description"), root.At("a/b"))
	}
}
