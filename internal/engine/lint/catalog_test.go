package lint

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

func TestReadCatalogShapes(t *testing.T) {
	const tool = `{"name":"a"}`
	for shape, partial := range map[string]bool{
		"[%s]": false, `{"tools":[%s]}`: false, `{"server":"x","tools":[%s],"other":{"tools":7}}`: false,
		`{"jsonrpc":"2.0","id":1,"result":{"tools":[%s],"nextCursor":"p2"}}`: true, "\xef\xbb\xbf [%s]\n": false,
	} {
		c, err := ReadCatalog(fmt.Appendf(nil, shape, tool), "f")
		if err != nil {
			t.Errorf("ReadCatalog(%s): %v", shape, err)
			continue
		}
		if len(c.Tools) != 1 || string(c.Tools[0].Raw) != tool || c.Partial != partial {
			t.Errorf("ReadCatalog(%s) = %d tools, partial %v, want 1, %v", shape, len(c.Tools), c.Partial, partial)
		}
	}
	if c, err := ReadCatalog([]byte("[]"), "f"); err != nil || len(c.Tools) != 0 {
		t.Errorf("ReadCatalog([]) = %v, %v, want no tools", c, err)
	}
}

func TestReadCatalogErrors(t *testing.T) {
	for _, test := range []struct{ input, want string }{
		{"", "f:1:1: the file is empty, expected a tools/list result as JSON"},
		{" \n ", "f:1:1: the file is empty, expected a tools/list result as JSON"},
		{"nonsense", "f:1:2: not JSON: invalid character 'o' in literal null (expecting 'u')"},
		{"[\n  {\"name\": \"ä\", \"x\": tru}\n]",
			"f:2:25: not JSON: invalid character '}' in literal true (expecting 'e')"},
		{"[{\"name\": \"a\"", "f:1:14: unexpected end of file in the middle of a value"},
		{"[1,]", "f:1:3: not JSON: invalid character ',' at start of value"},
		{"[]\n[]", "f:2:1: more than one JSON value"},
		{"[] x", "f:1:4: more than one JSON value"},
		{"7", "f:1:1: the file contains a number, expected a list of tools"},
		{`"tools"`, "f:1:1: the file contains a string, expected a list of tools"},
		{"{}", `f:1:1: no list of tools: expected an array of tools, {"tools": [...]} or a tools/list response`},
		{"{\n \"tools\": {}}", `f:2:11: "tools" is an object, expected an array of tools`},
		{`{"error":{"code":-32601,"message":"no"}}`,
			`f:1:10: the response is an error and has no tools: {"code":-32601,"message":"no"}`},
		{"[{\"name\":\"a\",\n\"name\":\"b\"}]", `f:2:1: duplicate key "name" in one object (at /0/name)`},
		{"[\n" + strings.Repeat("{},\n", maxTools) + "{}]", "f:20002:1: too many tools: limit is 20000"},
		{`{"tools":[],"tools":[]}`, `f:1:13: duplicate key "tools" in one object (at /tools)`},
		{"[\"\xff\"]", "f:1:3: not JSON: invalid UTF-8"},
		{"\xff\xfe[\x00]\x00", "f:1:1: the file is UTF-16, expected JSON in UTF-8"},
		{strings.Repeat("[", 5_000_000), "f:1:1001: nesting exceeds 1000 levels"},
		{`[{"a":` + strings.Repeat("{\"a\":", 2000), "f:1:4997: nesting exceeds 1000 levels"},
	} {
		_, err := ReadCatalog([]byte(test.input), "f")
		var read *ReadError
		if !errors.As(err, &read) || err.Error() != test.want {
			t.Errorf("ReadCatalog(%.40q) = %v, want %s", test.input, err, test.want)
		}
	}
}

// TestReadCatalogLarge reads 100 MB and must not copy it more than once.
func TestReadCatalogLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	tool := []byte(`{"name":"a","description":"` + strings.Repeat("x", 1_000_000) +
		`","inputSchema":{"type":"object"}},`)
	data := append([]byte("["), bytes.Repeat(tool, 105)...)
	data[len(data)-1] = ']'
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c, err := ReadCatalog(data, "large")
	runtime.ReadMemStats(&after)
	if err != nil || len(c.Tools) != 105 {
		t.Fatalf("ReadCatalog = %v, want 105 tools", err)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 150<<20 {
		t.Errorf("reading 105 MB took %d MB more", grown>>20)
	}
}

func TestLines(t *testing.T) {
	data := "[\n {\"name\": \"a\",\n  \"inputSchema\": {\n   \"type\": \"object\",\n   \"properties\": {\n    \"x\": " +
		"{\"type\": \"string\"}}}}\n]"
	c, err := ReadCatalog([]byte(data), "f.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range Run(context.Background(), c,
		&Options{Rules: []string{"SCH-002", "SCH-004", "SPEC-022"}}).Findings() {
		want := map[string]int{"SCH-002": 3, "SCH-004": 6, "SPEC-022": 2}[f.Rule]
		if f.Where.Line != want || f.Where.File != "f.json" {
			t.Errorf("%s at %s:%d, want f.json:%d", f.Rule, f.Where.File, f.Where.Line, want)
		}
	}
}

// TestRepeatedOnPage lists a tool on two pages: that is a fault of the pages, unless the definitions differ.
func TestRepeatedOnPage(t *testing.T) {
	tool := func(text string) json.RawMessage {
		return json.RawMessage(`{"name":"get","description":"` + text + `","inputSchema":{"type":"object"}}`)
	}
	for _, c := range []struct {
		second string
		ends   []int
		want   string
	}{
		{"Returns a thing.", []int{1, 2}, "page 2 of tools/list repeats the tool of page 1"},
		{"Returns a thing.", []int{0, 1, 1, 2}, "page 4 of tools/list repeats the tool of page 2"},
		{"Returns a thing.", []int{2}, "duplicate name, already used by tools[0]"},
		{"Returns another thing.", []int{1, 2}, "duplicate name, already used by tools[0]"},
	} {
		catalog := NewCatalog("server", []json.RawMessage{tool("Returns a thing."), tool(c.second)})
		catalog.SetPages(c.ends)
		found := Run(t.Context(), catalog, &Options{Rules: []string{"SPEC-005"}}).Findings()
		if len(found) != 1 || found[0].Message != c.want {
			t.Errorf("%s on pages %v: got %v, expected %q", c.second, c.ends, found, c.want)
		}
	}
}
