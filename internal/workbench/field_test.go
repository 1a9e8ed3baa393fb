package workbench

import (
	"reflect"
	"testing"
)

type inner struct {
	Out string `json:"out,omitempty" surface:"cli" placeholder:"DIR" jsonschema:"write to DIR"`
}

type hiddenInner struct {
	Suite string `json:"suite,omitempty" max:"9"`
}

type sampleInput struct {
	Connection
	inner
	hiddenInner `cli:"-"`
	Tool        string `json:"tool" cli:"arg" empty:"no" short:"t" jsonschema:"the tool"`
	All         bool   `json:"all,omitempty" surface:"user" alone:"yes"`
	Skipped     string `json:"-"`
	private     string
}

func TestFieldsOf(t *testing.T) {
	in := &sampleInput{private: "x"}
	all := map[string]Field{}
	for _, f := range FieldsOf(reflect.TypeFor[sampleInput]()) {
		if f.OfServer {
			continue
		}
		all[f.Name] = f
	}
	text, flag := reflect.TypeFor[string](), reflect.TypeFor[bool]()
	want := map[string]Field{
		"out": {Name: "out", Audience: CommandOnly, Placeholder: "DIR", Doc: "write to DIR", Type: text,
			index: []int{1, 0}},
		"suite": {Name: "suite", Role: "-", MaxLength: 9, Type: text, index: []int{2, 0}},
		"tool": {Name: "tool", Required: true, Role: "arg", NotEmpty: true, Short: "t", Doc: "the tool", Type: text,
			index: []int{3}},
		"all": {Name: "all", Audience: UserOnly, Alone: true, Type: flag, index: []int{4}},
	}
	if !reflect.DeepEqual(all, want) {
		t.Errorf("got  %+v\nwant %+v", all, want)
	}
	all["out"].Value(in).SetString("here")
	if in.Out != "here" {
		t.Errorf("out was set to %q, expected here", in.Out)
	}
	if f := FieldsOf(reflect.TypeFor[sampleInput]())[0]; f.Name != "target" || !f.OfServer || f.Role != "target" {
		t.Errorf("the first field is %+v, expected the target of the connection", f)
	}
}
