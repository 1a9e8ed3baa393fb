package schema

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

func FuzzWalk(f *testing.F) {
	f.Add([]byte(`{"properties":{"a":{"items":[{},true]}},"$defs":{"\u0061/~":{"not":false}},` +
		`"dependencies":{"x":["y"]}}`))
	f.Add([]byte(`{"allOf":{},"items":5,"properties":[],"type":["a",1]}`))
	f.Add([]byte("\xff{"))
	f.Fuzz(func(t *testing.T, doc []byte) {
		_ = Walk(doc, func(n Node) bool {
			at, ok := Get(doc, n.Pointer)
			if !ok {
				t.Fatalf("nothing at %q, which was visited", n.Pointer)
			}
			if duplicateFree(doc) && string(at) != strings.TrimSpace(string(n.Raw)) {
				t.Fatalf("Get(%q) = %s, want %s", n.Pointer, at, n.Raw)
			}
			return true
		})
	})
}

// duplicateFree is a strict parse: with duplicate names a pointer means the last, and the walk visits all.
func duplicateFree(doc []byte) bool {
	var members func(raw json.RawMessage) bool
	members = func(raw json.RawMessage) bool {
		list, err := Members(raw)
		if err != nil {
			elements, _ := Elements(raw)
			for _, element := range elements {
				if !members(element) {
					return false
				}
			}
			return true
		}
		seen := map[string]bool{}
		for _, m := range list {
			if seen[m.Name] || !members(m.Value) {
				return false
			}
			seen[m.Name] = true
		}
		return true
	}
	return members(doc)
}

func FuzzPointer(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":2}],"":{"~/":3}}`), "/a/1/b", []byte(`"new"`))
	f.Add([]byte("{\n  \"a\": {}\n}"), "/a/x", []byte(`[]`))
	f.Add([]byte(`{"a":1,"a":2}`), "/a", []byte(nil))
	f.Fuzz(func(t *testing.T, doc []byte, pointer string, value []byte) {
		if len(value) == 0 {
			value = nil
		}
		changed, err := Apply(doc, []finding.Edit{{Pointer: pointer, Value: value}})
		if err != nil {
			return
		}
		if !valid(changed) {
			t.Fatalf("Apply made %q of %q", changed, doc)
		}
		got, ok := Get(changed, pointer)
		if value == nil && ok && strings.LastIndexByte(pointer, '/') >= 0 && parentKind(doc, pointer) == '{' {
			t.Fatalf("%q is still %s after its removal", pointer, got)
		}
		if value != nil && !strings.HasSuffix(pointer, "/-") &&
			(!ok || string(got) != strings.Trim(string(value), " \n\t\r")) {
			t.Fatalf("Get(%q) = %s, %t after setting %s", pointer, got, ok, value)
		}
	})
}

func parentKind(doc []byte, pointer string) byte {
	parent, _ := Get(doc, pointer[:strings.LastIndexByte(pointer, '/')])
	return Kind(parent)
}

func FuzzPattern(f *testing.F) {
	for _, pattern := range []string{`^\d{4}$`, `^(?!a)b+$`, `(a+)+$`, `\u0061[^x]`, `(x)\1`, `[`, `a{1000}`, `\p{L}`,
		`(?<n>a)\k<n>`} {
		f.Add(pattern, "aaaaaaaaab")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		raw, err := json.Marshal(map[string]string{"type": "string", "pattern": pattern})
		if err != nil {
			return
		}
		s, err := Compile(raw, nil)
		if err != nil {
			return
		}
		value, _ := json.Marshal(text)
		s.Validate(value)
		if sample, err := s.Sample(nil); err == nil && len(s.Validate(sample)) > 0 {
			t.Fatalf("the sample %s does not match %s", sample, pattern)
		}
	})
}
