package arguments

import (
	"encoding/json"
	"strings"
	"testing"
)

const assignSchema = `{"type":"object","properties":{
  "count":{"type":"integer"},"ratio":{"type":"number"},"name":{"type":"string"},"on":{"type":"boolean"},
  "nothing":{"type":"null"},"color":{"enum":["red",2,null]},"maybe":{"anyOf":[{"type":"integer"},{"type":"null"}]},
  "tags":{"type":["array","null"],"items":{"type":"string"}},"sizes":{"type":"array","items":{"type":"integer"}},
  "user":{"$ref":"#/$defs/user"},"rows":{"type":"array","items":{"$ref":"#/$defs/user"}},
  "mixed":{"type":["string","number"]},"either":{"type":["number","boolean"]},"a.b":{"type":"integer"},"any":{},
  "headers":{"type":"object","additionalProperties":{"type":"integer"}},"x:":{"type":"string"}
 },"$defs":{"user":{"type":"object","properties":{"age":{"type":"integer"},"tags":{"type":"array","items":{"type":"boolean"}},
  "address":{"type":"object","properties":{"zip":{"type":"string"}}}}}}}`

func TestAssign(t *testing.T) {
	for _, test := range []struct{ name, given, want string }{
		{"by type", `count=42|ratio=0.10|name=42|on=true|nothing=null`,
			`{"count":42,"ratio":0.10,"name":"42","on":true,"nothing":null}`},
		{"order as typed", `name=b|count=1`, `{"name":"b","count":1}`},
		{"integers of any size", `count=12345678901234567890123`, `{"count":12345678901234567890123}`},
		{"whole numbers in other spellings", `count=1e3|sizes[]=42.0`, `{"count":1000,"sizes":[42]}`},
		{"raw bytes", `count:=1.0|name:={ "b" : 1E5 }`, `{"count":1.0,"name":{ "b" : 1E5 }}`},
		{"a string may look like anything", `name=true|tags[]=1|tags[]=`, `{"name":"true","tags":["1",""]}`},
		{"text with signs in it", `name=a=b:=c`, `{"name":"a=b:=c"}`},
		{"empty text", `name=`, `{"name":""}`},
		{"enum", `color=2`, `{"color":2}`},
		{"nullable", `maybe=7`, `{"maybe":7}`},
		{"null", `maybe:=null`, `{"maybe":null}`},
		{"into an object", `user.age=3|user.address.zip=007`, `{"user":{"age":3,"address":{"zip":"007"}}}`},
		{"to a list", `sizes[]=1|sizes[]=2`, `{"sizes":[1,2]}`},
		{"rows", `rows[].age=1|rows[].tags[]=true|rows[].tags[]=false|rows[].age=2`,
			`{"rows":[{"age":1,"tags":[true,false]},{"age":2}]}`},
		{"a map", `headers.x=1`, `{"headers":{"x":1}}`},
		{"a mixture that only text fits", `mixed=hello`, `{"mixed":"hello"}`},
		{"a mixture that one type fits", `either=true`, `{"either":true}`},
		{"a declared name with a dot", `a.b=1`, `{"a.b":1}`},
		{"a declared name with a colon", `x:=1`, `{"x:":"1"}`},
		{"an escaped name", `q\.r=1`, `{"q.r":"1"}`},
		{"undeclared is text", `extra=1`, `{"extra":"1"}`},
		{"any type is text", `any=1`, `{"any":"1"}`},
		{"nothing", ``, `{}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, errs := Assign(json.RawMessage(assignSchema), split(test.given))
			if len(errs) > 0 || string(got) != test.want {
				t.Errorf("Assign(%s) = %s, %v, want %s", test.given, got, errs, test.want)
			}
		})
	}
}

func split(given string) []string {
	if given == "" {
		return nil
	}
	return strings.Split(given, "|")
}

func TestAssignReportsEveryError(t *testing.T) {
	got, errs := Assign(json.RawMessage(assignSchema), []string{
		"count=1.5", "on=yes", "ratio=.5", "color=blue", "tags=a", "user=x", "mixed=5", "maybe=null", "name:={",
		"noequals", "=1", "count=1", "count.x=1", "name.first=1", "sizes[]=x", "a..b=1", "user.age=old", "rows[]x=1",
	})
	want := []string{
		`count: "1.5" is not an integer, expected integer`,
		`on: "yes" is not a boolean, expected boolean`,
		`ratio: ".5" is not a number, expected number`,
		`color: "blue" is not an allowed value, expected one of red, 2`,
		`tags: "a" is a single value, expected a list; use tags[]=… for each item, or tags:=[…]`,
		`user: "x" is a single value, expected an object; use user.name=…, or user:={…}`,
		`mixed: "5" matches several types, or none, expected string or number; use mixed:=JSON`,
		`maybe: "null" is not an integer, expected integer`,
		`name: "{" is not valid JSON, expected JSON`,
		`"noequals" is invalid: missing =, expected name=text or name:=JSON`,
		`"=1" is invalid: missing name, expected name=text or name:=JSON`,
		`count: "1" is set twice, expected one value for a name`,
		`sizes[]: "x" is not an integer, expected integer`,
		`"a..b=1" is invalid: missing name, expected name=text or name:=JSON`,
		`user.age: "old" is not an integer, expected integer`,
		`"rows[]x=1" is invalid: missing dot after [], expected name=text or name:=JSON`,
	}
	if got != nil {
		t.Errorf("Assign = %s with errors, want nil", got)
	}
	var messages []string
	for _, err := range errs {
		messages = append(messages, err.Message)
	}
	if diff := strings.Join(messages, "\n"); diff != strings.Join(want, "\n") {
		t.Errorf("errors:\n%s\nwant:\n%s", diff, strings.Join(want, "\n"))
	}
}

func TestAssignRefusesConflicts(t *testing.T) {
	for _, given := range []string{"user:={}|user.age=1", "user.age=1|user=x", "user.age=1|user[]=1",
		"sizes[]=1|sizes.x=1", "sizes[]=1|sizes:=[]"} {
		if got, errs := Assign(json.RawMessage(assignSchema), split(given)); len(errs) != 1 {
			t.Errorf("Assign(%s) = %s, %v, want one error", given, got, errs)
		}
	}
}

// A required null has no input, so that nobody can be expected to type it.
func TestAssignRequiredNull(t *testing.T) {
	input := json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"},"n":{"type":"null"},` +
		`"m":{"type":"null"}},"required":["n"]}`)
	for given, want := range map[string]string{"a=x": `{"a":"x","n":null}`, "n=null": `{"n":null}`} {
		if got, errs := Assign(input, []string{given}); string(got) != want || len(errs) > 0 {
			t.Errorf("Assign(%q) = %s, %v, expected %s", given, got, errs, want)
		}
	}
}
