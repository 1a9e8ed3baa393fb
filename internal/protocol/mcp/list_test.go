package mcp

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/protocol/spec"
)

// TestD5 reads lists that lead nowhere, in circles or on for ever.
func TestD5Lists(t *testing.T) {
	big := strings.Repeat("c", 1<<20)
	for name, tt := range map[string]struct {
		pages   []string
		items   int
		problem string
	}{
		"one page": {[]string{`{"tools":[{"name":"a"},{"name":"b"}]}`}, 2, ""},
		"three pages": {[]string{`{"tools":[{"name":"a"}],"nextCursor":"1"}`, `{"tools":[],"nextCursor":"2"}`,
			`{"tools":[{"name":"b"}]}`}, 2, ""},
		"same cursor": {[]string{`{"tools":[{"name":"$n"}],"nextCursor":"A"}`}, 2, `cursor "A" was returned twice`},
		"A to B to A": {[]string{`{"tools":[{"name":"1"}],"nextCursor":"A"}`,
			`{"tools":[{"name":"2"}],"nextCursor":"B"}`, `{"tools":[{"name":"3"}],"nextCursor":"A"}`}, 3,
			"was returned twice"},
		"empty cursor": {[]string{`{"tools":[{"name":"a"}],"nextCursor":""}`, `{"tools":[{"name":"b"}]}`}, 2, ""},
		"null cursor":  {[]string{`{"tools":[{"name":"a"}],"nextCursor":null}`}, 1, ""},
		"1 MB cursors": {[]string{`{"tools":[{"name":"a"}],"nextCursor":"` + big + `1"}`,
			`{"tools":[{"name":"a"}],"nextCursor":"` + big + `2"}`,
			`{"tools":[{"name":"a"}],"nextCursor":"` + big + `1"}`}, 3, "was returned twice"},
		"endless": {[]string{`{"tools":[{"name":"a"}],"nextCursor":"$n"}`}, 1000, "more than 1000 pages"},
		"too many items": {[]string{`{"tools":[` + strings.Repeat(`{},`, 60_000) + `{}],"nextCursor":"$n"}`}, 120_002,
			"more than 100000 items"},
	} {
		t.Run(name, func(t *testing.T) {
			rules := ""
			for _, page := range tt.pages {
				rules += "on tools/list\n\tresult " + page + "\n"
			}
			s, server := play(t, spec.NewestLegacy, rules, Options{})
			list, err := s.List(context.Background(), "tools/list")
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(list.Problems, "; "); len(list.Items) != tt.items ||
				!strings.Contains(got, tt.problem) || (tt.problem == "") != (got == "") {
				t.Errorf("%d items, problems %.200q; want %d, %q", len(list.Items), got, tt.items, tt.problem)
			}
			if got := server.Got("tools/list"); len(got) != len(list.Pages) || strings.Contains(got[0], "cursor") {
				t.Errorf("asked %d times for %d pages, first %s", len(got), len(list.Pages), got[0])
			}
			if name == "empty cursor" && !strings.Contains(server.Got("tools/list")[1], `"params":{"cursor":""}`) {
				t.Errorf("the empty cursor was sent as %s", server.Got("tools/list")[1])
			}
		})
	}
}

func TestD5ListOfTooManyBytes(t *testing.T) {
	l := &List{bytes: maxBytes}
	if !l.stop(`"next"`, map[string]bool{}) || !strings.Contains(l.Problems[0], "more than 256 MiB") {
		t.Errorf("problems %q", l.Problems)
	}
}

// One bad item hides no other, and each keeps its bytes.
func TestBadItems(t *testing.T) {
	items := []struct{ raw, name, odd string }{
		{`{"name":"a","x":1.0,"x":2}`, "a", ""},
		{`null`, "", "null, expected an object"},
		{`5`, "", "a number, expected an object"},
		{`{"name":7}`, "", "name is 7, expected a string"},
		{`{"name":null}`, "", "name is null, expected a string"},
		{`{}`, "", "no name"},
		{`[]`, "", "an array, expected an object"},
		{`{"name":"b","annotations":"no"}`, "b", ""},
	}
	var raws []string
	for _, item := range items {
		raws = append(raws, item.raw)
	}
	page := `{"tools":[` + strings.Join(raws, " , ") + `]}`
	s, _ := play(t, spec.NewestLegacy, "on tools/list\n\tresult "+page+"\n", Options{})
	list, err := s.List(context.Background(), "tools/list")
	if err != nil || len(list.Items) != len(items) {
		t.Fatalf("%v, %d items", err, len(list.Items))
	}
	for i, want := range items {
		if got := list.Items[i]; string(got.Raw) != want.raw || got.Name != want.name || got.Odd != want.odd ||
			got.Frame == 0 {
			t.Errorf("item %d is %s %q %q, want %+v", i, got.Raw, got.Name, got.Odd, want)
		}
	}
	if string(list.Result()) != page {
		t.Errorf("Result() = %s", list.Result())
	}
	if _, ok := list.Find("b"); !ok {
		t.Error("Find(b) finds nothing")
	}
	if _, ok := list.Find(""); ok {
		t.Error("Find finds what has no name")
	}
}

func TestListOfSeveralPagesIsOneResult(t *testing.T) {
	rules := ""
	for i := range 3 {
		next := fmt.Sprintf(`,"nextCursor":"%d"`, i)
		if i == 2 {
			next = ""
		}
		rules += fmt.Sprintf("on prompts/list\n\tresult {\"prompts\":[{\"name\":\"p%d\", \"n\":1.0}]%s}\n", i, next)
	}
	s, _ := play(t, spec.NewestLegacy, rules, Options{})
	list, err := s.List(context.Background(), "prompts/list")
	const want = `{"prompts":[{"name":"p0", "n":1.0},{"name":"p1", "n":1.0},{"name":"p2", "n":1.0}]}`
	if err != nil || string(list.Result()) != want {
		t.Errorf("%v, Result() = %s, want %s", err, list.Result(), want)
	}
}
