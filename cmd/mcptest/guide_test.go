package main

import (
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/demo"
)

// A guideCase is what a person types for a row of the Tool Testing Guide, and the argument bytes that must arrive at
// the server. An empty want means that nothing may be sent.
type guideCase struct {
	args []string
	want string
}

func typed(want string, args ...string) guideCase { return guideCase{args, want} }

// guideCases has one entry for each row, by the tool that stands for it.
var guideCases = map[string][]guideCase{
	"basic_integer": {typed(`{"v":42}`, "--arg", "v=42"), typed(`{"v": 42}`, "--args", `{"v": 42}`)},
	"basic_number":  {typed(`{"v":42.5}`, "--arg", "v=42.5")},
	"basic_string":  {typed(`{"v":"hello"}`, "--arg", "v=hello")},
	"basic_boolean": {typed(`{"v":true}`, "--arg", "v=true"), typed(`{"v":false}`, "--arg", "v=false")},
	"basic_null":    {typed(`{"v":null}`), typed(`{"v":null}`, "--arg", "v:=null")},

	"convert_string_to_integer": {typed(`{"v":42}`, "--arg", "v=42"), typed("", "--arg", "v=1.5"),
		typed("", "--args", `{"v":"42"}`)},
	"convert_number_to_integer": {typed(`{"v":42}`, "--arg", "v:=42"), typed("", "--arg", "v:=1.5"),
		typed(`{"v":1.5}`, "--arg", "v:=1.5", "--no-validate")},
	"convert_string_to_number": {typed(`{"v":42.5}`, "--arg", "v=42.5"), typed("", "--arg", "v=forty")},
	"convert_string_to_boolean": {typed(`{"v":true}`, "--arg", "v=true"), typed("", "--arg", "v=yes"),
		typed("", "--arg", "v=True"), typed("", "--arg", "v=1")},

	"array_simple": {typed(`{"v":["item1","item2"]}`, "--arg", "v[]=item1", "--arg", "v[]=item2")},
	"array_object": {typed(`{"v":[{"name":"item1"},{"name":"item2"}]}`, "--arg", "v[].name=item1", "--arg",
		"v[].name=item2")},
	"array_optional": {typed(`{}`), typed(`{"v":[]}`, "--arg", "v:=[]"), typed("", "--arg", "v:=null"),
		typed("", "--args", `{"v":null}`)},

	"nested_single_level": {typed(`{"v":{"name":"Ada"}}`, "--arg", "v.name=Ada")},
	"nested_multi_level":  {typed(`{"v":{"user":{"name":"Ada"}}}`, "--args", `{"v":{"user":{"name":"Ada"}}}`)},
	"nested_mixed_types":  {typed(`{"v":{"data":5}}`, "--arg", "v.data:=5"), typed("", "--arg", "v.data:=true")},

	"optional_field": {typed(`{}`), typed(`{"v":"x"}`, "--arg", "v=x")},
	"optional_nullable": {typed(`{}`), typed(`{"v":null}`, "--arg", "v:=null"),
		typed(`{"v":"null"}`, "--arg", "v=null")},
	"optional_empty_array":  {typed(`{}`), typed(`{"v":[]}`, "--arg", "v:=[]")},
	"optional_empty_object": {typed(`{}`), typed(`{"v":{}}`, "--arg", "v:={}")},

	"scenario_complex_nested": {typed(`{"v":{"l1":{"l2":{"l3":{"leaf":"L"}}}}}`, "--args",
		`{"v":{"l1":{"l2":{"l3":{"leaf":"L"}}}}}`)},
	"scenario_array_manipulation": {typed(`{"v":["a","b"]}`, "--arg", "v[]=a", "--arg", "v[]=b"),
		typed(`{"v":[]}`, "--arg", "v:=[]")},
	"scenario_optional_nested": {typed(`{}`), typed(`{"o":{"x":"1"}}`, "--arg", "o.x=1"),
		typed(`{"o":{"y":1}}`, "--arg", "o.y=1")},
	"scenario_mixed_array": {typed(`{"v":["a",1,true]}`, "--arg", `v:=["a",1,true]`),
		typed("", "--arg", `v:=[null]`)},
	"scenario_nullable_vs_optional": {typed(`{}`), typed(`{"nullable":null}`, "--arg", "nullable:=null"),
		typed("", "--arg", "optional:=null")},
	"scenario_empty_collections": {typed(`{}`),
		typed(`{"arr":[],"obj":{}}`, "--arg", "arr:=[]", "--arg", "obj:={}")},

	"parameter_unset":        {typed(`{}`)},
	"parameter_null":         {typed(`{"name":null}`, "--arg", "name:=null"), typed(`{}`)},
	"parameter_empty_string": {typed(`{"name":""}`, "--arg", "name=")},
}

// Every row of every table of the guide, through the command line, by the bytes that the server received.
func TestGuide(t *testing.T) {
	for _, row := range demo.GuideRows() {
		t.Run(row.Table+"/"+row.Row, func(t *testing.T) {
			cases := guideCases[row.Tool]
			if len(cases) == 0 {
				t.Fatalf("no case for the tool %s", row.Tool)
			}
			for _, c := range cases {
				checkGuideCase(t, row.Tool, c)
			}
		})
	}
}

func checkGuideCase(t *testing.T, tool string, c guideCase) {
	t.Helper()
	stdout, stderr, code := runCLI(append([]string{"tools", "call", tool, "demo-guide"}, c.args...)...)
	got := strings.TrimSuffix(stdout, "\n")
	if c.want == "" {
		if code != 2 || got != "" {
			t.Errorf("%v: exit %d, received %q; want exit 2 and nothing sent", c.args, code, got)
		}
		return
	}
	if code != 0 || got != c.want {
		t.Errorf("%v: exit %d, received %q; want exit 0 and %q\n%s", c.args, code, got, c.want, stderr)
	}
}
