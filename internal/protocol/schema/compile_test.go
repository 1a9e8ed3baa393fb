package schema

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCompileInTheDeclaredDialect(t *testing.T) {
	for _, test := range []struct{ schema, options, want string }{
		{`{}`, "", "2020-12"},
		{`true`, "", "2020-12"},
		{`{"$schema":"http://json-schema.org/draft-04/schema#"}`, "", "draft-04"},
		{`{"$schema":"http://json-schema.org/draft-06/schema#"}`, "", "draft-06"},
		{`{"$schema":"http://json-schema.org/draft-07/schema"}`, "", "draft-07"},
		{`{"$schema":"https://json-schema.org/draft-07/schema#"}`, "", "draft-07"},
		{`{"$schema":"https://json-schema.org/draft/2019-09/schema"}`, "", "2019-09"},
		{`{"$schema":"https://json-schema.org/draft/2020-12/schema"}`, "", "2020-12"},
		{`{}`, "http://json-schema.org/draft-07/schema#", "draft-07"},
	} {
		if got := compile(t, test.schema, &Options{Dialect: test.options}).Dialect; got != test.want {
			t.Errorf("dialect of %s = %s, want %s", test.schema, got, test.want)
		}
	}
}

func TestDialectsDiffer(t *testing.T) {
	const draft4 = `{"$schema":"http://json-schema.org/draft-04/schema#","minimum":1,"exclusiveMinimum":true}`
	if got := compile(t, draft4, nil).Validate(json.RawMessage("1")); len(got) != 1 ||
		got[0].Rule != "exclusiveMinimum" {
		t.Errorf("draft-04: %v, want exclusiveMinimum", got)
	}
	const tuple = `{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}],` +
		`"additionalItems":false}`
	if got := compile(t, tuple, nil).Validate(json.RawMessage(`["a",1]`)); len(got) != 1 {
		t.Errorf("draft-07: %v, want one violation", got)
	}
	const sibling = `"$ref":"#/definitions/s","maxLength":1,"definitions":{"s":{"type":"string"}}}`
	if got := compile(t, `{"$schema":"http://json-schema.org/draft-07/schema#",`+sibling,
		nil).Validate(json.RawMessage(`"ab"`)); len(got) != 0 {
		t.Errorf("draft-07 ignores what stands beside $ref, got %v", got)
	}
	if got := compile(t, `{`+sibling, nil).Validate(json.RawMessage(`"ab"`)); len(got) != 1 {
		t.Errorf("2020-12 asserts what stands beside $ref, got %v", got)
	}
}

func TestCompileErrors(t *testing.T) {
	for _, test := range []struct {
		name, schema string
		kind         CompileErrorKind
		pointer      string
	}{
		{"not JSON", `{"a":}`, NotJSON, ""},
		{"nothing", ``, NotJSON, ""},
		{"unknown type", `{"properties":{"a":{"type":"strng"}}}`, Invalid, "/properties/a/type"},
		{"required is no array", `{"required":"a"}`, Invalid, "/required"},
		{"an array", `[]`, Invalid, ""},
		{"unknown dialect", `{"$schema":"https://example.com/dialect"}`, UnknownDialect, "/$schema"},
		{"network $ref", `{"properties":{"a":{"$ref":"https://example.com/s.json#/x"}}}`, RemoteRef,
			"/properties/a/$ref"},
		{"file $ref", `{"$ref":"file:///etc/passwd"}`, RemoteRef, "/$ref"},
		{"relative $ref", `{"$ref":"other.json"}`, RemoteRef, "/$ref"},
		{"dangling $ref", `{"properties":{"a":{"$ref":"#/$defs/no"}}}`, BrokenRef, "/properties/a/$ref"},
		{"dangling anchor", `{"$ref":"#no"}`, BrokenRef, "/$ref"},
		{"bad pattern", `{"properties":{"a":{"pattern":"(["}}}`, BadPattern, "/properties/a/pattern"},
		{"bad pattern of properties", `{"patternProperties":{"([":{}}}`, BadPattern, "/patternProperties/(["},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Compile(json.RawMessage(test.schema), nil)
			var got *CompileError
			if !errors.As(err, &got) || got.Kind != test.kind || got.Pointer != test.pointer || got.Message == "" {
				t.Errorf("Compile = %+v, want %s at %q", err, test.kind, test.pointer)
			}
		})
	}
}

func TestCompileListsEveryViolationOfTheMetaschema(t *testing.T) {
	_, err := Compile(json.RawMessage(`{"properties":{"a":{"type":"strng"},"b":{"minimum":"1"}},"required":[1]}`), nil)
	var got *CompileError
	if !errors.As(err, &got) {
		t.Fatalf("Compile = %v", err)
	}
	var paths []string
	for _, v := range got.Violations {
		paths = append(paths, v.Path)
	}
	if diff := cmp.Diff(paths, []string{"/properties/a/type", "/properties/b/minimum", "/required/0"}); diff != "" {
		t.Errorf("paths (-got +want)\n%s", diff)
	}
}

func TestNothingIsEverFetched(t *testing.T) {
	var hits atomic.Int32
	canary := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	defer canary.Close()
	for _, schema := range []string{`{"$ref":"URL/a"}`, `{"$schema":"URL/dialect"}`, `{"$id":"URL/id","$ref":"b"}`,
		`{"$dynamicRef":"URL/a#x"}`,
		`{"$defs":{"a":{"$id":"URL/inner","$schema":"URL/dialect"}}}`,
		`{"allOf":[{"$ref":"#/x"}],"x":{"$ref":"URL/deep"}}`} {
		if _, err := Compile(json.RawMessage(strings.ReplaceAll(schema, "URL", canary.URL)), nil); err == nil {
			t.Errorf("Compile(%s) succeeded", schema)
		}
	}
	if hits.Load() > 0 {
		t.Errorf("%d requests reached the network", hits.Load())
	}
}

func TestMetaschemasAreBuiltIn(t *testing.T) {
	s := compile(t, `{"properties":{"schema":{"$ref":"https://json-schema.org/draft/2020-12/schema"},`+
		`"old":{"$ref":"http://json-schema.org/draft-07/schema#"}}}`, nil)
	if got := s.Validate(json.RawMessage(`{"schema":{"type":"strng"},"old":{"type":"object"}}`)); len(got) != 1 ||
		got[0].Path != "/schema/type" {
		t.Errorf("Validate = %v, want one violation at /schema/type", got)
	}
}

func TestRecursiveSchemasWork(t *testing.T) {
	s := compile(t, `{"type":"object","properties":{"next":{"$ref":"#"},"value":{"type":"integer"}}}`, nil)
	if got := s.Validate(json.RawMessage(`{"next":{"next":{"value":"x"}}}`)); len(got) != 1 ||
		got[0].Path != "/next/next/value" {
		t.Errorf("Validate = %v", got)
	}
}

func TestCompileKeepsNoHoldOnItsInput(t *testing.T) {
	raw := json.RawMessage(`{"const":1}`)
	s, err := Compile(raw, nil)
	if err != nil {
		t.Fatal(err)
	}
	copy(raw, `{"const":2}`)
	if got, err := s.Sample(nil); err != nil || string(got) != "1" {
		t.Errorf("Sample = %s, %v, want 1", got, err)
	}
}
