package schema

import (
	"encoding/json"
	"testing"
)

func TestMembersKeepOrderDuplicatesAndBytes(t *testing.T) {
	members, err := Members(json.RawMessage(` { "b" : 1.0, "\u0061": [ ] ,"b":{"x":"}"}} `))
	if err != nil {
		t.Fatal(err)
	}
	want := []Member{
		{"b", json.RawMessage(`"b"`), json.RawMessage("1.0")},
		{"a", json.RawMessage(`"\u0061"`), json.RawMessage("[ ]")},
		{"b", json.RawMessage(`"b"`), json.RawMessage(`{"x":"}"}`)},
	}
	if len(members) != len(want) {
		t.Fatalf("Members = %d members, want %d", len(members), len(want))
	}
	for i, m := range members {
		if m.Name != want[i].Name || string(m.Key) != string(want[i].Key) || string(m.Value) != string(want[i].Value) {
			t.Errorf("member %d = %s %s %s, want %s", i, m.Name, m.Key, m.Value, want[i].Value)
		}
	}
}

func TestMembersRefuse(t *testing.T) {
	for _, broken := range []string{"", "[]", `{"a"}`, `{"a":}`, `{"a":1,}`, `{"a":1}x`, `{"a":1`, `{"a":"x}`, `{a:1}`,
		`{"a":1 "b":2}`} {
		if members, err := Members(json.RawMessage(broken)); err == nil {
			t.Errorf("Members(%s) = %v, want an error", broken, members)
		}
	}
}

func TestElements(t *testing.T) {
	elements, err := Elements(json.RawMessage(` [1.0 , "]", {"a":[2]} ] `))
	if err != nil || len(elements) != 3 || string(elements[1]) != `"]"` || string(elements[2]) != `{"a":[2]}` {
		t.Errorf("Elements = %s, %v", elements, err)
	}
	for _, broken := range []string{"", "{}", "[1,]", "[,1]", "[1 2]", "[1]2", "[1"} {
		if got, err := Elements(json.RawMessage(broken)); err == nil {
			t.Errorf("Elements(%s) = %s, want an error", broken, got)
		}
	}
}

func TestAppendToAMemberLeavesTheDocumentAlone(t *testing.T) {
	doc := json.RawMessage(`{"a":1,"b":2}`)
	members, _ := Members(doc)
	_ = append(members[0].Value, "999"...)
	if got := string(doc); got != `{"a":1,"b":2}` {
		t.Errorf("document = %s after an append to a member", got)
	}
}
