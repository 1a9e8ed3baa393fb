package mcp

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

func TestMember(t *testing.T) {
	for object, want := range map[string]string{
		`{"a":1,"b":2}`:             `1`,
		`{"a":1,"b":2,"a":{"a":3}}`: `{"a":3}`,
		`{"a":1,"\u0061": null }`:   `null`,
		`{"b":{"a":1}}`:             ``,
		`{"a":1,"b":`:               `1`,
		`{"a":1,"a":`:               `1`,
		`["a",1]`:                   ``,
	} {
		if got, ok := member(raw(object), "a"); string(got) != want || ok != (want != "") {
			t.Errorf("member(%s) = %s, %v, want %s", object, got, ok, want)
		}
	}
}

// Of a key that stands twice the last one counts, wherever we read it.
func TestDuplicateKeys(t *testing.T) {
	rules := `on tools/list
	result {"tools":[],"tools":[{"name":"first","name":"last"}]}
on tools/call
	result {"resultType":"input_required","inputRequests":{"q":{"method":"roots/list"},"q":{"method":"elicitation/create","params":{"message":"a","message":"b"}}}}
on tools/call
	result {"resultType":"complete"}
`
	var heard []string
	opts := Options{
		Roots: func(context.Context) (json.RawMessage, error) { return raw(`{"roots":[]}`), nil },
		Elicitation: func(_ context.Context, params json.RawMessage) (json.RawMessage, error) {
			heard = append(heard, text(params, "message"))
			return raw(`{"action":"decline"}`), nil
		}}
	s, server := play(t, spec.NewestModern, rules, opts)
	list, err := s.List(context.Background(), "tools/list")
	if err != nil || len(list.Items) != 1 || list.Items[0].Name != "last" {
		t.Errorf("list %+v, %v; want the tool last", list, err)
	}
	result(t, s, "tools/call", raw(`{"name":"x"}`))
	if got := server.Got("tools/call")[1]; strings.Join(heard, " ") != "b" ||
		!strings.Contains(got, `"inputResponses":{"q":{"action":"decline"}}`) {
		t.Errorf("asked %q, answered by %s", heard, got)
	}
}
